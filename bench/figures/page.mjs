/** The page in a real Chromium: from a key to its glyph, what tiles cost, how fast and how large it opens. */
import { Chromium } from '../lab/chromium.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { measureGlyphs } from './page/glyphs.mjs'
import { measureLoad } from './page/load.mjs'
import { measureTiles } from './page/tiles.mjs'

export const limitS = 300

export async function measure(lab, options) {
  const holdfast = await Holdfast.start(lab)
  const chromium = await Chromium.start(lab)
  const stage = { lab, holdfast, chromium }
  const rows = []
  for (const figure of [measureTiles, measureLoad, measureGlyphs]) rows.push(...(await figure(stage, options)))
  await chromium.close()
  return rows
}
