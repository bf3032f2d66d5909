/** What crashes leave in the state directory that nobody will ever ask for. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { holderCardPath, type Paths } from '../wire/paths.ts'
import type { Terminal } from '../workspace/terminal.ts'

/** Younger ones may belong to a holder that is just starting, on a machine that swaps. */
const ABANDONED_AFTER_MS = 60_000
const RUN = /^r[0-9a-z]{10}$/
const PROBE = /^\.probe-\d+$/

/** `terminals` are all that there are: what one of them names is kept, whatever it looks like. */
export function removeLeftovers(
  { home, runs }: Paths,
  { terminals, now }: { readonly terminals: readonly Terminal[]; readonly now: number },
): void {
  const named = new Set(
    terminals.flatMap((terminal) => [terminal.lastRun, ...('run' in terminal ? [terminal.run] : []), ...previousOf(terminal)]),
  )
  const isNamed = (run: string): boolean => [...named].some((name) => name === run)
  for (const run of readdirSync(runs).filter((name) => RUN.test(name) && !isNamed(name)))
    if (!existsSync(holderCardPath(`${runs}/${run}`)) && ageOf(`${runs}/${run}`, now) > ABANDONED_AFTER_MS)
      rmSync(`${runs}/${run}`, { recursive: true, force: true })
  for (const name of readdirSync(home).filter((entry) => PROBE.test(entry))) rmSync(`${home}/${name}`, { force: true })
}

const previousOf = (terminal: Terminal) => (terminal.state === 'waking' ? [terminal.previousRun] : [])

const ageOf = (path: string, now: number): number => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now)
