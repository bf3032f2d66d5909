import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES, Tail } from './tail.ts'

describe('the memory tail', () => {
  it('gives back the bytes of every seq that it still holds', () => {
    const appends = fc.array(fc.record({ length: fc.integer({ min: 0, max: 3 * BLOCK_BYTES }), keep: fc.nat(2 * BLOCK_BYTES) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(appends, fc.nat(), (steps, where) => {
        const tail = new Tail()
        const all: number[] = []
        for (const { length, keep } of steps) {
          const bytes = Uint8Array.from({ length }, (_, i) => (all.length + i) % 251)
          for (const byte of bytes) all.push(byte)
          tail.append(bytes)
          tail.dropBefore(tail.head - keep)
          expect(tail.oldest).toBeLessThanOrEqual(Math.max(0, tail.head - keep))
        }
        expect(tail.head).toBe(all.length)
        if (tail.head === tail.oldest) return
        const seq = tail.oldest + (where % (tail.head - tail.oldest))
        const view = tail.view(seq, 1_000)
        expect(view.length).toBeGreaterThan(0)
        expect([...view]).toEqual(all.slice(seq, seq + view.length))
      }),
      { numRuns: 30 },
    )
  })
})
