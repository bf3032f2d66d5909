import { done, type Result, refusals, refused } from '../../base/refusal.ts'

/** A checkpoint by its id, the unique beginning of one, `latest`, or `latest~N`: the N-th before it. */
const LATEST = /^latest(?:~(\d{1,6}))?$/
const MOST_MATCHES_SHOWN = 5 // a sentence, not a listing

export function findCheckpoint<Item extends { readonly id: string }>(ref: string, newestFirst: readonly Item[]): Result<Item> {
  const latest = LATEST.exec(ref)
  if (latest !== null) {
    const item = newestFirst[Number(latest[1] ?? 0)]
    return item === undefined ? refused(refusals.checkpointNotFound(ref, newestFirst.length)) : done(item)
  }
  const exact = newestFirst.filter(({ id }) => id === ref)
  const matches = exact.length > 0 || ref === '' ? exact : newestFirst.filter(({ id }) => id.startsWith(ref))
  const [only] = matches
  if (only === undefined) return refused(refusals.checkpointNotFound(ref, newestFirst.length))
  return matches.length === 1 ? done(only) : refused(refusals.checkpointAmbiguous(ref, shown(matches)))
}

function shown(matches: readonly { readonly id: string }[]): readonly string[] {
  const ids = matches.slice(0, MOST_MATCHES_SHOWN).map(({ id }) => id)
  return matches.length > MOST_MATCHES_SHOWN ? [...ids, '…'] : ids
}
