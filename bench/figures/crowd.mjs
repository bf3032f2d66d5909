/** Two hundred clients on fifty terminals, twenty of them slow and five that send garbage: who waits, what it costs, what is lost. */
import { runCrowd } from '../lab/crowd.mjs'
import { Holdfast } from '../lab/holdfast.mjs'
import { programPath } from '../lab/programs.mjs'
import { median, percentile } from '../statistics.mjs'
import { watchDaemon } from './hostile.mjs'
import { openMany } from './memory.mjs'

const PAGES = 3
const GARBAGE = 5
const KEYS = 200
const GAP_MS = 10

export const limitS = 240

export async function measure(lab, { quick, say }) {
  const {
    terminals: count,
    clients,
    slow,
    lines,
  } = quick ? { terminals: 10, clients: 40, slow: 4, lines: 5_000 } : { terminals: 50, clients: 200, slow: 20, lines: 20_000 }
  const holdfast = await Holdfast.start(lab)
  say(`crowd: ${count} terminals`)
  const terminals = await openMany(holdfast, count, ['sh', programPath('counts-when-told.sh'), String(lines)])
  const pages = []
  for (let index = 0; index < PAGES; index += 1) {
    const page = await holdfast.openPage()
    const id = await holdfast.open('sh', [programPath('echoes.sh')])
    await holdfast.ask('terminal.wait', { terminal: id, until: { kind: 'text', pattern: 'ready-to-echo' } })
    await page.show(id, 'ready-to-echo')
    pages.push(page)
  }
  const watched = await watchDaemon(holdfast)
  say(`crowd: ${clients} clients`)
  const ids = terminals.map(({ id }) => id)
  const readers = clients - GARBAGE - PAGES
  const crowd = runCrowd({ socketPath: holdfast.socketPath, terminals: ids, readers, slow, garbage: GARBAGE, lines })
  const keys = Promise.all(pages.map((page) => page.keys(KEYS, GAP_MS)))
  const fared = (await crowd).readers
  const echoes = (await keys).flat()
  const { lists, memory, isSame } = await watched.end()

  const normal = fared.filter(({ isSlow }) => !isSlow).map(({ ms }) => ms)
  const row = (figure, label, value, unit) => ({ figure, label, unit, holdfast: [value] })
  return [
    row('crowd.lost', `of ${readers} clients, those that missed a line`, fared.filter((one) => one.fault !== null).length, ''),
    row('crowd.starved', 'slowest client that reads, against the median', Math.max(...normal) / median(normal), '×'),
    row('crowd.seconds', 'until the median client has seen everything', median(normal) / 1_000, 's'),
    row('crowd.ls.p99', 'a list p99 meanwhile', percentile(lists, 0.99), 'ms'),
    row('crowd.echo.p99', `key→echo p99 in ${PAGES} pages meanwhile`, percentile(echoes, 0.99), 'ms'),
    row('crowd.memory', 'daemon at its largest', memory, 'MB'),
    row('crowd.daemon', 'daemons that were lost', isSame ? 0 : 1, ''),
  ]
}
