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

Written by \`npm run faults\`. \`test/e2e/faultTable.test.ts\` brings each of these about for real, with real programs, and holds the
daemon to the row: what \`holdfast health\` and \`holdfast ls\` show meanwhile, that nothing else is shown dead, that the last screen can
be read at any time, and that everything is well in the end: the same program answers, or the terminal is asleep because its program
was lost, with its last screen, and wakes.`

const TIMES = `The times are those of one run in which everything was looked at every second and had a second to answer (\`[health]\`,
\`interval_s = 1\`, \`deadline_ms = 1000\`). The default is every 30 s, with 5 s to answer. What announces itself takes as long then as
here: a link that drops (a holder or a tmux that was killed), and a thread of the screens or of the store that ends. What shows only when it is
asked is seen with the next look, within 30 s; a clock that jumped, within 5 s. Who is silent is asked again after 3 s and counts as dead after the third
time, some 20 s after the first look. What is dead is looked at once more after a second, and then recovered.`

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
