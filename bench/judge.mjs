/** From measured rounds to one line of the table: medians, ratio, spread, and whether the budget is met. */
import { median, spread } from './statistics.mjs'

/**
 * A row holds one number per round: `holdfast`, and `peer` where there is one, round by round measured next to each other.
 * A budget bounds the ratio of the two medians, or Holdfast's own median: `{ ratio | value: { most | least } }`.
 */
export function judge(row, budget) {
  const holdfast = median(row.holdfast)
  const hasPeer = row.peer !== undefined && row.peer.length > 0
  const peer = hasPeer ? median(row.peer) : null
  const ratio = hasPeer ? holdfast / peer : null
  const paired = hasPeer ? row.holdfast.map((value, round) => value / row.peer[round]) : row.holdfast
  const judged = budget?.value === undefined ? ratio : holdfast
  return { ...row, median: { holdfast, peer, ratio }, spread: spread(paired), budget: budget ?? null, isMet: isMet(judged, budget) }
}

/** Null where there is no budget, or nothing to hold against it. */
function isMet(value, budget) {
  if (budget === undefined || value === null) return null
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = budget.ratio ?? budget.value
  return value <= most && value >= least
}
