/** What to remove when the logs of all runs together take too much: as little as needed, the oldest first. */
import type { RunId } from '../base/ids.ts'

export type RunOnDisk = {
  readonly run: RunId
  readonly startedAt: number
  /** Everything in its directory. */
  readonly bytes: number
  /**
   * A live run and an unknown run are never touched. `past` is no terminal's newest run; `last` is that of an asleep
   * terminal, whose screen is kept up to `keptSeq`, or not at all.
   */
  readonly role: { readonly kind: 'untouchable' } | { readonly kind: 'past' } | { readonly kind: 'last'; readonly keptSeq: number | null }
  /** Oldest first. `bytes` is what goes with it. */
  readonly segments: readonly { readonly seq: number; readonly bytes: number }[]
}

export type Removal =
  | { readonly kind: 'run'; readonly run: RunId; readonly bytes: number }
  /** Everything before the segment that begins at `seq`. */
  | { readonly kind: 'older'; readonly run: RunId; readonly seq: number; readonly bytes: number }

/** `total` counts everything, also what cannot be told to be a run. */
export function planRetention(runs: readonly RunOnDisk[], { total, limit }: { readonly total: number; readonly limit: number }): Removal[] {
  let excess = total - limit
  const plan: Removal[] = []
  const oldestFirst = [...runs].sort((a, b) => a.startedAt - b.startedAt)
  const candidates = [...oldestFirst.flatMap(wholeRun), ...oldestFirst.flatMap(olderSegments)]
  for (const removal of candidates) {
    if (excess <= 0) break
    plan.push(removal)
    excess -= removal.bytes
  }
  return plan
}

const wholeRun = ({ run, bytes, role }: RunOnDisk): Removal[] => (role.kind === 'past' ? [{ kind: 'run', run, bytes }] : [])

/** The newest segment stays, and so does all that is needed to come from the kept screen to the end. */
function olderSegments({ run, role, segments }: RunOnDisk): Removal[] {
  const newest = segments.at(-1)
  if (role.kind !== 'last' || role.keptSeq === null || newest === undefined || segments.length < 2 || role.keptSeq < newest.seq) return []
  const bytes = segments.slice(0, -1).reduce((sum, segment) => sum + segment.bytes, 0)
  return [{ kind: 'older', run, seq: newest.seq, bytes }]
}
