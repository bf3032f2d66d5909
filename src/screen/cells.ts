import { COMBINED, HAS_EXTENDED, type RawExtended, type RawLine, withoutLeftovers } from './internals.ts'

/** Whether cells are the same to the bit, apart from bits that mean nothing. Quick: whole screens are compared with it. */
export function firstDifference(a: RawLine, b: RawLine, from: number): number {
  const cells = Math.min(a.length, b.length)
  const [one, other] = [a._data, b._data]
  for (let cell = from, at = from * 3; cell < cells; cell++, at += 3) {
    const word = one[at] ?? 0
    const bg = one[at + 2] ?? 0
    const same = word === other[at] && one[at + 1] === other[at + 1] && bg === other[at + 2]
    if (same && (word & COMBINED) === 0 && (bg & HAS_EXTENDED) === 0) continue
    if (!sameCell(a, b, cell)) return cell
  }
  return -1
}

function sameCell(a: RawLine, b: RawLine, x: number): boolean {
  const word = a._data[x * 3] ?? 0
  const bg = a._data[x * 3 + 2] ?? 0
  if (word !== b._data[x * 3]) return false
  if (withoutLeftovers(a._data[x * 3 + 1] ?? 0) !== withoutLeftovers(b._data[x * 3 + 1] ?? 0)) return false
  if (withoutLeftovers(bg) !== withoutLeftovers(b._data[x * 3 + 2] ?? 0)) return false
  if (word & COMBINED && a._combined[x] !== b._combined[x]) return false
  return (bg & HAS_EXTENDED) === 0 || sameExtended(a._extendedAttrs[x], b._extendedAttrs[x])
}

export function sameExtended(a: RawExtended | undefined, b: RawExtended | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && a.urlId === b.urlId && withoutLeftovers(a._ext) === withoutLeftovers(b._ext)
}
