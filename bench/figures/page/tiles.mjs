/** What a terminal in view costs the browser: script objects, and memory of the page's process that nobody else uses. */
import { delay } from '../../lab/clock.mjs'
import { privateBytes } from '../../lab/processes.mjs'
import { corpusPath, programPath } from '../../lab/programs.mjs'

const VIEWPORT = { width: 1920, height: 1080 }
const MORE = 8
const LINES = 1_000 // of history behind each
const LAST = 'last-line'
const SETTLE_MS = 2_000
const MB = 1e6

export async function measureTiles({ holdfast, chromium }, { quick, say }) {
  say(`page: memory of 1 and of ${1 + MORE} tiles`)
  const heap = []
  const all = []
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const first = await openFilled(holdfast)
    const page = await chromium.openPage(holdfast, VIEWPORT)
    await page.painted([{ id: first, text: LAST }])
    const before = await weigh(page, chromium)
    const more = []
    for (let index = 0; index < MORE; index += 1) more.push(await openFilled(holdfast))
    await page.painted(more.map((id) => ({ id, text: LAST })))
    const after = await weigh(page, chromium)
    heap.push((after.heap - before.heap) / MORE / MB)
    all.push((after.all - before.all) / MORE / MB)
    await page.close()
    for (const id of [first, ...more]) await holdfast.close(id)
  }
  const label = `page per tile (1→${1 + MORE}, ${LINES} lines each)`
  return [
    { figure: 'page.tile.heap', label: `${label}, script objects`, unit: 'MB', holdfast: heap },
    { figure: 'page.tile.memory', label: `${label}, private memory`, unit: 'MB', holdfast: all },
  ]
}

const openFilled = (holdfast) => holdfast.open('sh', [programPath('shows-history.sh'), `${LINES}`, corpusPath('colour', 1), LAST])

/** Of all processes that draw pages: which of them has this one the browser does not tell, and the others rest. */
async function weigh(page, chromium) {
  await delay(SETTLE_MS)
  const heap = await page.heapBytes()
  return { heap, all: (await chromium.renderers()).reduce((sum, pid) => sum + (privateBytes(pid) ?? 0), 0) }
}
