import { COMBINED, HAS_EXTENDED, type RawExtended, type RawLine } from '../../../src/screen/engine/internals.ts'
import { engineOf, type Screen } from '../../../src/screen/screen.ts'
import { differences, dumpState, linesOf } from './dump.ts'
import { dumpCell, type Strictness } from './dumpLine.ts'

/**
 * Compares two screens as `differences(dump(a), dump(b))` does, a hundred times as fast: words of cells first, and text
 * only where they are not the same. Says what differs, and for cells where.
 */
export function compareScreens(a: Screen, b: Screen, strictness: Strictness = 'exact'): string[] {
  const state = differences(dumpState(a, strictness), dumpState(b, strictness))
  if (state.includes('size')) return state
  const [linesA, linesB] = [linesOf(a), linesOf(b)]
  return [
    ...state,
    ...compareLines(a, b, { name: 'normal', linesA: linesA.normal, linesB: linesB.normal, strictness }),
    ...compareLines(a, b, { name: 'alternate', linesA: linesA.alternate, linesB: linesB.alternate, strictness }),
  ]
}

type Line = RawLine | undefined
type Lines = { readonly name: string; readonly linesA: readonly Line[]; readonly linesB: readonly Line[]; readonly strictness: Strictness }

function compareLines(a: Screen, b: Screen, { name, linesA, linesB, strictness }: Lines): string[] {
  if (linesA.length !== linesB.length) return [`${name}: ${linesA.length} lines, not ${linesB.length}`]
  for (let y = 0; y < linesA.length; y++) {
    const found = compareLine(a, b, { one: linesA[y], other: linesB[y], strictness })
    if (found !== null) return [`${name} line ${y}: ${found}`]
  }
  return []
}

function compareLine(a: Screen, b: Screen, { one, other, strictness }: { one: Line; other: Line; strictness: Strictness }): string | null {
  if (one === undefined || other === undefined) return one === other ? null : 'absent'
  if (one.isWrapped !== other.isWrapped) return one.isWrapped ? 'wrapped' : 'not wrapped'
  const { cols } = engineOf(a).terminal
  for (let x = 0; x < cols; x++) {
    if (sameWords(one, other, x) && !mayDiffer(one, other, x)) continue
    const [cellA, cellB] = [dumpCell(a, one, x, strictness), dumpCell(b, other, x, strictness)]
    if (cellA !== cellB) return `column ${x}: ${cellA}, not ${cellB}`
  }
  return null
}

function sameWords({ _data: one }: RawLine, { _data: other }: RawLine, x: number): boolean {
  const at = x * 3
  return one[at] === other[at] && one[at + 1] === other[at + 1] && one[at + 2] === other[at + 2]
}

/** Whether cells with the same words may still be different: text and attributes that do not fit into words. */
function mayDiffer(one: RawLine, other: RawLine, x: number): boolean {
  const at = x * 3
  if (((one._data[at] ?? 0) & COMBINED) !== 0 && one._combined[x] !== other._combined[x]) return true
  if (((one._data[at + 2] ?? 0) & HAS_EXTENDED) === 0) return false
  const [extA, extB] = [extendedAt(one, x), extendedAt(other, x)]
  return extA?._ext !== extB?._ext || (extA?.urlId ?? 0) !== 0 || (extB?.urlId ?? 0) !== 0
}

const extendedAt = (line: RawLine, x: number): RawExtended | undefined => line._extendedAttrs[x]
