import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSeq, encodeFrame, encodeSeq, FrameDecoder, FrameError } from './frames.ts'

const frames = fc.array(fc.record({ type: fc.integer({ min: 0, max: 255 }), payload: fc.uint8Array({ maxLength: 300 }) }), {
  maxLength: 12,
})

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const edges = [...new Set([0, ...at.map((n) => n % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end))
}

describe('frames', () => {
  it('come out as they went in, however the stream is cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(), { maxLength: 40 }), (sent, cuts) => {
        const stream = Buffer.concat(sent.map(({ type, payload }) => encodeFrame(type, payload)))
        const decoder = new FrameDecoder()
        const received = cut(stream, cuts).flatMap((chunk) => decoder.push(chunk))
        expect(received.map(({ type, payload }) => ({ type, payload: [...payload] }))).toEqual(
          sent.map(({ type, payload }) => ({ type, payload: [...payload] })),
        )
      }),
    )
  })

  it('come out one byte at a time', () => {
    const decoder = new FrameDecoder()
    const stream = encodeFrame(7, Buffer.from('hello'))
    const received = [...stream].flatMap((byte) => decoder.push(Uint8Array.of(byte)))
    expect(received).toHaveLength(1)
    expect(Buffer.from(received[0]!.payload).toString()).toBe('hello')
  })

  it('of an impossible length are refused', () => {
    expect(() => new FrameDecoder().push(Uint8Array.of(0, 0, 0, 0, 1))).toThrow(FrameError)
    expect(() => new FrameDecoder().push(Uint8Array.of(255, 255, 255, 255, 1))).toThrow(FrameError)
    expect(() => new FrameDecoder(10).push(encodeFrame(1, new Uint8Array(10)))).toThrow(FrameError)
  })

  it('carry any seq below 2^53', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (seq) => decodeSeq(encodeSeq(seq)) === seq))
    expect(() => decodeSeq(new Uint8Array(7))).toThrow(FrameError)
  })
})
