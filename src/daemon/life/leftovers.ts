/** What crashes leave in the state directory that nobody will ever ask for. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { CLOSED_SUFFIX, holderCardPath, type Paths, REMOVED_SUFFIX } from '../../wire/paths.ts'
import { runsNamedBy, type Terminal } from '../../workspace/terminal/terminal.ts'
import { ownerOf } from '../terminals/closedRuns.ts'

/** Younger ones may belong to a holder that is just starting, on a machine that swaps. */
const ABANDONED_AFTER_MS = 60_000
const RUN = /^r[0-9a-z]{10}$/
const PROBE = /^\.probe-\d+$/

type Owners = {
  readonly isKnown: (terminal: string) => boolean
  /** It was closed, and may be brought back. */
  readonly isClosed: (terminal: string) => boolean
}

/** Ends what a crash interrupted: a terminal that is still known has not been closed, or is open again, and keeps what it printed. */
export function settleClosedRuns({ runs }: Paths, { isKnown, isClosed }: Owners): void {
  for (const name of readdirSync(runs)) {
    const path = `${runs}/${name}`
    const former = path.slice(0, -CLOSED_SUFFIX.length)
    const isAside = name.endsWith(CLOSED_SUFFIX)
    if (isAside && isClosed(ownerOf(path))) continue
    if (isAside && isKnown(ownerOf(path)) && !existsSync(former)) renameSync(path, former)
    else if (isAside || name.endsWith(REMOVED_SUFFIX)) rmSync(path, { recursive: true, force: true })
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
