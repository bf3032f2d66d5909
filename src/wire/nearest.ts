/** The known word that somebody probably meant, or null when none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  const best = known.map((candidate) => ({ candidate, distance: wordDistance(word, candidate) })).sort((a, b) => a.distance - b.distance)[0]
  const { length } = plain(lastPart(word))
  const tolerated = length < 3 ? 1 : Math.max(2, Math.floor(length / 3)) // two letters swapped are two changes
  return best !== undefined && best.distance <= tolerated ? best.candidate : null
}

/** `logLevel`, `log-level` and `log_level` are the same mistake, and so is a known option in the wrong section. */
function wordDistance(a: string, b: string): number {
  return Math.min(editDistance(plain(a), plain(b)), editDistance(plain(lastPart(a)), plain(lastPart(b))))
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, LONGEST_COMPARED)
const lastPart = (word: string): string => word.slice(word.lastIndexOf('.') + 1)
const LONGEST_COMPARED = 64 // the comparison takes the product of both lengths

/** How many letters must be put in, left out or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= b.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? a.length
}
