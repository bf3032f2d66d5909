import type { CheckpointId } from '../../base/ids.ts'
import type { CheckpointSummary } from './checkpoint.ts'

/**
 * Which checkpoints may be deleted. Good ones compete only with good ones: an empty one, or one taken of a workspace that
 * was not whole, never costs a good one its place. Half of the places are for the newest, the others for one of each hour
 * and of each day: a workspace that never rests would fill all of them in an hour.
 */
export type Retention = { readonly count: number; readonly days: number }
type Candidate = Pick<CheckpointSummary, 'id' | 'at' | 'kind' | 'knownGood'>

export const USUAL_RETENTION: Retention = { count: 50, days: 14 }
const NEVER_DROPPED = 3 // the newest good ones stay however old: after months away they are all there is
const ASKED_FOR_FACTOR = 6 // what the user asked for, or what undoes a destructive act, is kept six times as long
const NOT_GOOD_COUNT = 5 // enough to see what happened
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const EACH_HOUR_FOR_MS = 10 * HOUR_MS // ten hours and fourteen days fill half of the usual places

/** `newestFirst` is the order in which they were taken, which a clock that jumps does not change. */
export function checkpointsToDrop(
  newestFirst: readonly Candidate[],
  { now, retention = USUAL_RETENTION }: { readonly now: number; readonly retention?: Retention },
): readonly CheckpointId[] {
  const good = newestFirst.filter(({ knownGood }) => knownGood)
  const safe = new Set(good.slice(0, NEVER_DROPPED))
  const beyond = (candidates: readonly Candidate[], { count, days }: Retention): readonly Candidate[] => {
    const young = candidates.filter(({ at }) => now - at <= days * DAY_MS)
    const kept = new Set(young.length <= count ? young : spread(young, { count, now }))
    return candidates.filter((candidate) => !safe.has(candidate) && !kept.has(candidate))
  }
  const longer = { count: retention.count, days: retention.days * ASKED_FOR_FACTOR }
  const few = { count: Math.min(NOT_GOOD_COUNT, retention.count), days: retention.days }
  const those = (knownGood: boolean, askedFor: boolean): readonly Candidate[] =>
    newestFirst.filter((candidate) => candidate.knownGood === knownGood && isAskedFor(candidate) === askedFor)
  const dropped = new Set([
    ...beyond(those(true, false), retention),
    ...beyond(those(true, true), longer),
    ...beyond(those(false, false), few),
    ...beyond(those(false, true), longer),
  ])
  return newestFirst.filter((candidate) => dropped.has(candidate)).map(({ id }) => id)
}

function spread(newestFirst: readonly Candidate[], { count, now }: { readonly count: number; readonly now: number }): readonly Candidate[] {
  const recent = Math.ceil(count / 2)
  const places = new Set<string>()
  const older = newestFirst.slice(recent)
  const firstOfEach = older.filter(({ at }) => {
    const place = now - at < EACH_HOUR_FOR_MS ? `hour ${Math.floor(at / HOUR_MS)}` : `day ${Math.floor(at / DAY_MS)}`
    return !places.has(place) && places.add(place)
  })
  const others = older.filter((candidate) => !firstOfEach.includes(candidate))
  return [...newestFirst.slice(0, recent), ...firstOfEach, ...others].slice(0, count)
}

const isAskedFor = ({ kind }: Candidate): boolean => kind === 'manual' || kind === 'before-destructive'
