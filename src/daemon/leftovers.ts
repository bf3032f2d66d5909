/** What crashes leave in the state directory that nobody will ever ask for. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readCard } from '../client/holderCards.ts'
import { CLOSED_SUFFIX, holderCardPath, type Paths, REMOVED_SUFFIX } from '../wire/paths.ts'
import { runsNamedBy, type Terminal } from '../workspace/terminal.ts'

/** Younger ones may belong to a holder that is just starting, on a machine that swaps. */
const ABANDONED_AFTER_MS = 60_000
const RUN = /^r[0-9a-z]{10}$/
const PROBE = /^\.probe-\d+$/

/** Ends what a crash interrupted: a terminal that is still known has not been closed, and keeps what it printed. */
export function settleClosedRuns({ runs }: Paths, isKnown: (terminal: string) => boolean): void {
  for (const name of readdirSync(runs)) {
    const path = `${runs}/${name}`
    const former = path.slice(0, -CLOSED_SUFFIX.length)
    if (name.endsWith(CLOSED_SUFFIX) && isKnown(ownerOf(path)) && !existsSync(former)) renameSync(path, former)
    else if (name.endsWith(CLOSED_SUFFIX) || name.endsWith(REMOVED_SUFFIX)) rmSync(path, { recursive: true, force: true })
  }
}

function ownerOf(directory: string): string {
  try {
    return readCard(directory).terminal
  } catch {
    return '' // it was being removed already
  }
}

/** `terminals` are all that there are: what one of them names is kept, whatever it looks like. */
export function removeLeftovers(
  { home, runs }: Paths,
  { terminals, now }: { readonly terminals: readonly Terminal[]; readonly now: number },
): void {
  const named = new Set<string>(terminals.flatMap(runsNamedBy))
  for (const run of readdirSync(runs).filter((name) => RUN.test(name) && !named.has(name)))
    if (!existsSync(holderCardPath(`${runs}/${run}`)) && ageOf(`${runs}/${run}`, now) > ABANDONED_AFTER_MS)
      rmSync(`${runs}/${run}`, { recursive: true, force: true })
  for (const name of readdirSync(home).filter((entry) => PROBE.test(entry))) rmSync(`${home}/${name}`, { force: true })
}

const ageOf = (path: string, now: number): number => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now)
