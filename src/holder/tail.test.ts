import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES, Tail } from './tail.ts'

const PERIOD = 251
const PATTERN = Buffer.from(Array.from({ length: 4 * BLOCK_BYTES }, (_, i) => i % PERIOD))
const stream = (from: number, length: number): Buffer => PATTERN.subarray(from % PERIOD, (from % PERIOD) + length)

describe('the memory tail', () => {
  it('gives back the bytes of every seq that it still holds', () => {
    const appends = fc.array(fc.record({ length: fc.integer({ min: 0, max: 3 * BLOCK_BYTES }), keep: fc.nat(2 * BLOCK_BYTES) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(appends, fc.nat(), (steps, where) => {
        const tail = new Tail()
        let dropped = 0
        for (const { length, keep } of steps) {
          tail.append(stream(tail.head, length))
          dropped = Math.max(dropped, tail.head - keep)
          tail.dropBefore(tail.head - keep)
          expect(tail.oldest).toBeLessThanOrEqual(dropped)
        }
        if (tail.head === tail.oldest) return
        const seq = tail.oldest + (where % (tail.head - tail.oldest))
        const view = tail.view(seq, 1_000)
        expect(view.length).toBeGreaterThan(0)
        expect(Buffer.from(view).equals(stream(seq, view.length))).toBe(true)
      }),
    )
  })
})
