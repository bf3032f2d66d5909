/**
 * A page of 100 lines from deep in the history, asked for over a connection that is open already: at the end, in the middle
 * and at the very beginning of as much output as a log holds.
 */
import { readFileSync } from 'node:fs'
import { corpusPath, programPath } from '../lab/programs.mjs'
import { inTurn, Rounds, roundsWithin } from './rounds.mjs'
import { startSides } from './sides.mjs'

const LOG_MB = 7.5 // beside the records' headers this fills a log of 8 MiB, without a segment being dropped
const PAGE_LINES = 100
const LAST_LINE = 'the-last-line'
const ROWS_PER_LINE = 2 // at most: no line of the log is longer than two rows
/** Where the page ends, as a share of all lines. */
const DEPTHS = [
  { figure: 'history.end', label: 'at the end', share: 1 },
  { figure: 'history.middle', label: 'in the middle', share: 0.5 },
  { figure: 'history.start', label: 'at the start', share: 0 },
]

export const limitS = 150

export async function measure(lab, { quick, say }) {
  const { count, seconds } = quick ? { count: 2, seconds: 10 } : { count: 9, seconds: 60 }
  const path = corpusPath('log', LOG_MB)
  const printed = readFileSync(path, 'utf8').split('\r\n')
  const { holdfast, tmux, sides } = await startSides(lab, { historyLines: printed.length * ROWS_PER_LINE })
  const readers = []
  for (const side of sides) {
    say(`history: ${side.name} prints ${LOG_MB} MiB`)
    const terminal = await side.open('sh', [programPath('shows-history.sh'), `${printed.length}`, path, LAST_LINE])
    const client = await side.attach(terminal, { seen: LAST_LINE })
    await client.close()
    readers.push(side === holdfast ? await ourReader(holdfast, terminal, printed) : await tmuxReader(tmux, terminal, printed))
  }
  const rounds = new Rounds()
  for (const round of roundsWithin(seconds, count)) {
    for (const { figure, label, share } of DEPTHS) {
      say(`history ${round + 1}/${count}: ${label}`)
      for (const { name, read } of inTurn(readers, round)) {
        const began = performance.now()
        await read(share)
        rounds.add(name, figure, performance.now() - began)
      }
    }
  }
  for (const { close } of readers) close()
  return DEPTHS.map(({ figure, label }) =>
    rounds.row({ figure, label: `${PAGE_LINES} lines of history, ${label}`, unit: 'ms', peerName: 'tmux capture-pane' }),
  )
}

/** Every page is held against what the program has printed. */
async function ourReader(holdfast, terminal, printed) {
  const ask = (before) => holdfast.ask('terminal.history', { terminal, before, count: PAGE_LINES, format: 'text' })
  const read = async (share) => {
    const before = pageEnd(printed, share)
    const page = await ask(before)
    for (const [index, line] of page.lines.entries()) {
      if (line !== printed[before - page.lines.length + index]) throw new Error(`line ${page.from + index} is wrong: ${line}`)
    }
    if (page.lines.length !== PAGE_LINES) throw new Error(`a page has ${page.lines.length} lines, not ${PAGE_LINES}`)
  }
  await read(0)
  return { name: 'holdfast', read, close: () => undefined }
}

async function tmuxReader(tmux, session, printed) {
  const control = await tmux.control()
  const rows = await tmux.historyOf(session)
  if (rows < printed.length) throw new Error(`tmux has kept ${rows} rows of ${printed.length} lines`)
  const read = async (share) => {
    const end = Math.max(PAGE_LINES, Math.round(rows * share)) - rows
    const lines = await control.ask(`capture-pane -p -t ${session} -S ${end - PAGE_LINES} -E ${end - 1}`)
    if (lines.length !== PAGE_LINES) throw new Error(`tmux gave ${lines.length} rows`)
  }
  return { name: 'tmux', read, close: () => control.close() }
}

/** The corpus ends in the middle of a line, behind which the last line stands. */
const pageEnd = (printed, share) => Math.max(PAGE_LINES, Math.round((printed.length - 1) * share))
