/** From asking for the page to the last screens of a whole workspace, and what the first visit has to load for it. */
import { corpusPath, programPath } from '../../lab/programs.mjs'
import { roundsWithin } from '../rounds.mjs'

const VIEWPORT = { width: 2560, height: 1440 }
const TERMINALS = 30
const LINES = 60
const LAST = 'last-line'
const AT_A_TIME = 4

export async function measureLoad({ holdfast, chromium }, { quick, say }) {
  say(`page: a workspace of ${TERMINALS} terminals`)
  const terminals = []
  while (terminals.length < TERMINALS) {
    const batch = Math.min(AT_A_TIME, TERMINALS - terminals.length)
    terminals.push(...(await Promise.all(Array.from({ length: batch }, () => openFilled(holdfast)))))
  }
  const wanted = terminals.map((id) => ({ id, text: LAST }))
  const page = await chromium.openPage(holdfast, VIEWPORT)
  const kilobytes = (await page.transferred()) / 1_000
  await page.painted(wanted)
  const { origin } = new URL(page.page.url())
  const paints = []
  for (const _ of roundsWithin(quick ? 5 : 30, quick ? 2 : 7)) {
    await page.page.goto('about:blank')
    await page.page.goto(origin)
    paints.push(await page.painted(wanted))
  }
  await page.close()
  for (const id of terminals) await holdfast.close(id)
  return [
    { figure: 'page.load', label: `page: ${TERMINALS} terminals painted after navigation`, unit: 'ms', holdfast: paints },
    { figure: 'page.bytes', label: 'page: first load, compressed', unit: 'KB', holdfast: [kilobytes] },
  ]
}

const openFilled = (holdfast) => holdfast.open('sh', [programPath('shows-history.sh'), `${LINES}`, corpusPath('colour', 1), LAST])
