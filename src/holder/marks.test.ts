import { describe, expect, it } from 'vitest'
import { Marks } from './marks.ts'

const at = 0
const size = (cols: number) => ({ cols, rows: 24 })

function resizedAt(...seqs: number[]): Marks {
  const marks = new Marks(size(80))
  for (const [i, seq] of seqs.entries()) marks.push({ kind: 'resize', seq, size: size(81 + i), at })
  return marks
}

describe('marks', () => {
  it('tell the size in force at a seq', () => {
    const marks = resizedAt(10, 20, 20)
    expect([0, 9, 10, 19, 20, 99].map((seq) => marks.sizeAt(seq).cols)).toEqual([80, 80, 81, 81, 83, 83])
  })

  it('tell a reader only of what it does not know from the size it begins with', () => {
    const marks = resizedAt(10, 20)
    expect([0, 10, 15, 20].map((seq) => marks.after(seq))).toEqual([0, 1, 1, 2])
  })

  it('tell everybody of the exit, also who begins at it', () => {
    const marks = resizedAt(10)
    marks.push({ kind: 'exit', seq: 10, status: { code: 0 }, at })
    expect(marks.at(marks.after(10))?.kind).toBe('exit')
  })

  it('keep their numbers and the size when old ones are dropped', () => {
    const marks = resizedAt(10, 20, 30)
    marks.dropBefore(25)
    expect(marks.sizeAt(26).cols).toBe(82)
    expect(marks.at(2)?.seq).toBe(30)
    expect(marks.count).toBe(3)
  })

  it('are bounded, and then say from where on they are complete', () => {
    const marks = resizedAt(...Array.from({ length: 5_000 }, (_, i) => i))
    expect(marks.first).toBeGreaterThan(800)
    expect(marks.floor).toBe(marks.first - 1)
    expect(marks.sizeAt(4_999).cols).toBe(81 + 4_999)
  })
})
