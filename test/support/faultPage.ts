/** docs/faults.md: what each fault looks like, what is done about it and how long that takes, as the test of them has seen it. */
import { cpus } from 'node:os'
import type { WatchedView } from '../../src/wire/healthView.ts'

/** What a fault is, and all that is promised about it. */
export type Promised = {
  readonly fault: string
  /** What it is shown at; null where nothing is ill, and only the log speaks of it. */
  readonly at: WatchedView['kind'] | null
  /** Besides `alive`, in order. */
  readonly states: readonly WatchedView['state'][]
  /** The sentence that is shown, or logged. */
  readonly why: string
  readonly terminal: 'live' | 'lost'
  readonly done: string
  readonly costs: string
  /** From when on it can be well again, where that is not the fault itself. */
  readonly from?: string
}

export type Times = { readonly seenMs: number; readonly wellMs: number }

const HEAD = ['fault', 'shown', 'done about it', 'what it costs', 'seen after', 'well after']

const INTRODUCTION = `# Faults, one by one

Written by \`npm run faults\`. \`test/e2e/faultTable.test.ts\` causes each of these faults with real programs and checks the row: what \`holdfast health\` and
\`holdfast ls\` show, that nothing else is shown as dead, that the last screen can always be read, and that everything recovers: the same
program answers, or the terminal is asleep because its program was lost, with its last screen, and wakes.`

const TIMES = `The times are from one run with a health check every second and a second to answer (\`[health]\`, \`interval_s = 1\`,
\`deadline_ms = 1000\`). The default is every 30 s, with 5 s to answer. Some faults are noticed at once in either case: a dropped connection
(a killed holder or tmux), and a thread of the screens or of the store that ends. The others are noticed at the next health check, within
30 s; a clock that jumped, within 5 s. A silent part is checked again after 3 s and counts as dead after the third miss, about 20 s after
the first check. A dead part is checked once more after a second, and then recovered.`

export function faultsPage(rows: readonly (Promised & { readonly times: Times })[], date: string): string {
  const machine = `Taken on ${date}, ${process.platform} ${process.arch}, ${cpus().length} cores, Node ${process.versions.node}.`
  const lines = [HEAD, ...rows.map((row) => [...cellsOf(row), ...timesOf(row)])].map((cells) => `| ${cells.join(' | ')} |`)
  const table = [lines[0], `|${'---|'.repeat(HEAD.length)}`, ...lines.slice(1)]
  return `${INTRODUCTION}\n\n${table.join('\n')}\n\n${TIMES}\n${machine}\n`
}

/** The cells of a row that stay the same from run to run. */
export const cellsOf = ({ fault, done, costs, ...shown }: Promised): string[] => [fault, shownOf(shown), done, costs]

function shownOf({ at, states, why, terminal }: Omit<Promised, 'fault' | 'done' | 'costs'>): string {
  const there = terminal === 'live' ? 'the terminal stays live' : 'the terminal is asleep: lost'
  if (at === null) return `nothing; the log says “${why}”; ${there}`
  return `${at}: ${states.length === 0 ? 'alive' : states.join(' → ')}, “${why}”; ${there}`
}

const timesOf = ({ times, from }: Promised & { readonly times: Times }): string[] => [
  seconds(times.seenMs),
  from === undefined ? seconds(times.wellMs) : `${seconds(times.wellMs)} from when ${from}`,
]

const seconds = (ms: number): string => (ms < 50 ? 'at once' : `${(ms / 1_000).toFixed(1)} s`)

/** The rows of the page that is there, without their times. */
export const rowsIn = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | ').slice(0, 4))
