/** Few numbers out of many. */

/** Of the sorted samples the one below which `share` of them lie; no interpolation, so it is always a real sample. */
export function percentile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Beyond this many rounds single outliers say nothing about the spread. */
const MANY_ROUNDS = 8

/** Lowest and highest; of many rounds the bounds of the middle 80 %. */
export function spread(samples) {
  if (samples.length < MANY_ROUNDS) return [Math.min(...samples), Math.max(...samples)]
  return [percentile(samples, 0.1), percentile(samples, 0.9)]
}
