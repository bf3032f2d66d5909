/**
 * Framing for every Unix socket: a length of four bytes (little endian, counting what follows), one byte of type,
 * then the payload. Output travels as raw bytes; only rare, small messages are JSON.
 */
import { utf8Decode, utf8Encode } from '../base/utf8.ts'

export type Frame = { readonly type: number; readonly payload: Uint8Array }

const HEADER = 5
/** Larger than any snapshot we send; a length beyond it means that the peer does not speak this protocol. */
const FRAME_LIMIT = 64 << 20

export class FrameError extends Error {}

/** `parts` are written one after another without being copied twice. */
export function encodeFrame(type: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let size = HEADER
  for (const part of parts) size += part.length
  return encodeFrameInto(new Uint8Array(size), type, ...parts)
}

/** For frequent senders that reuse their buffers: the frame is the returned beginning of `target`. */
export function encodeFrameInto<Memory extends ArrayBufferLike>(
  target: Uint8Array<Memory>,
  type: number,
  ...parts: readonly Uint8Array[]
): Uint8Array<Memory> {
  let at = HEADER
  for (const part of parts) {
    target.set(part, at)
    at += part.length
  }
  new DataView(target.buffer, target.byteOffset).setUint32(0, at - 4, true)
  target[4] = type
  return target.subarray(0, at)
}

export const encodeJsonFrame = (type: number, value: unknown): Uint8Array<ArrayBuffer> =>
  encodeFrame(type, utf8Encode(JSON.stringify(value)))

export function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(utf8Decode(payload))
  } catch (cause) {
    throw new FrameError('a message is not JSON', { cause })
  }
}

/** Cuts a byte stream into frames; payloads are views into the received chunks wherever a frame is whole. */
export class FrameDecoder {
  private rest: Uint8Array = new Uint8Array(0)
  private readonly pieces: Uint8Array[] = []
  private waiting = 0
  private missing = 0
  private readonly limit: number

  /** `limit`: the largest frame to accept, in bytes. */
  constructor(limit = FRAME_LIMIT) {
    this.limit = limit
  }

  push(chunk: Uint8Array): Frame[] {
    const data = this.join(chunk)
    if (data === null) return []
    const frames: Frame[] = []
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    let at = 0
    while (data.length - at >= HEADER) {
      const size = view.getUint32(at, true)
      if (size < 1 || size > this.limit) throw new FrameError(`a frame of ${size} bytes is not possible`)
      const end = at + 4 + size
      if (end > data.length) {
        this.missing = end - data.length
        break
      }
      frames.push({ type: data[at + 4] ?? 0, payload: data.subarray(at + HEADER, end) })
      at = end
    }
    this.rest = data.subarray(at)
    return frames
  }

  /** Large frames arrive in many chunks: they are collected and joined once, not once per chunk. */
  private join(chunk: Uint8Array): Uint8Array | null {
    if (this.rest.length === 0 && this.pieces.length === 0) return chunk
    if (this.pieces.length === 0) {
      this.pieces.push(this.rest)
      this.waiting = this.rest.length
    }
    this.pieces.push(chunk)
    this.waiting += chunk.length
    this.missing -= chunk.length
    if (this.missing > 0) return null
    const whole = new Uint8Array(this.waiting)
    let at = 0
    for (const piece of this.pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.pieces.length = 0
    this.waiting = 0
    this.missing = 0
    this.rest = new Uint8Array(0)
    return whole
  }
}

/** A seq is a count of bytes below 2^53: eight bytes, little endian. */
export function encodeSeq(seq: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, seq % 0x1_0000_0000, true)
  view.setUint32(4, Math.floor(seq / 0x1_0000_0000), true)
  return bytes
}

export function decodeSeq(bytes: Uint8Array, at = 0): number {
  if (bytes.length < at + 8) throw new FrameError('a seq is cut off')
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8)
  return view.getUint32(0, true) + view.getUint32(4, true) * 0x1_0000_0000
}
