/** What both socket protocols have in common: frames, good and broken, in any chunks. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { encodeFrame, type Frame, FrameDecoder, FrameError } from '../../src/wire/frames.ts'
import { changedJson, chunkLengths, chunksOf, damagedBytes, jsonTextOf, nastyJson, randomBytes } from './nasty.ts'
import { demand } from './target.ts'

const seqs = fc.constantFrom(0, 1, 255, 2 ** 32, 2 ** 53 - 1, 2 ** 53)

function seqBytes(seq: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(seq))
  return bytes
}

export type FrameKinds = {
  readonly types: readonly number[]
  readonly keys: readonly string[]
  /** By type: what such a message says. */
  readonly good: Readonly<Record<number, unknown>>
}

/** One frame of any known or unknown type: with JSON, numbers or noise in it, or a good message with something else in one place. */
export function anyFrame({ types, keys, good }: FrameKinds): fc.Arbitrary<Uint8Array> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '')
  const nearly = fc.oneof(
    ...Object.entries(good).map(([type, value]) => changedJson(fc.constant(value)).map((other) => encodeFrame(Number(type), json(other)))),
  )
  const type = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...types) }, fc.nat(255))
  const payload = fc.oneof(
    jsonTextOf(nastyJson(keys)).map((text) => Buffer.from(text)),
    fc.tuple(seqs, randomBytes).map(([seq, rest]) => Buffer.concat([seqBytes(seq), rest])),
    randomBytes,
  )
  const any = fc.tuple(type, payload).map(([given, bytes]) => encodeFrame(given, bytes))
  return fc.oneof({ weight: 2, arbitrary: any }, { weight: 3, arbitrary: nearly })
}

export type Stream = { readonly bytes: Uint8Array; readonly lengths: readonly number[] }

/** A connection's bytes as they arrive: frames in any order, sometimes broken. */
export function anyStream(frame: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Stream> {
  const joined = fc.array(frame, { maxLength: 8 }).map((frames) => Buffer.concat(frames))
  return fc.record({
    bytes: fc.oneof({ weight: 3, arbitrary: joined }, { weight: 2, arbitrary: damagedBytes(joined) }, randomBytes),
    lengths: chunkLengths,
  })
}

/** Cut into chunks or as a whole, the same frames come out; what is refused is refused as declared. */
export function judgeStream({ bytes, lengths }: Stream, limit?: number): readonly Frame[] {
  const whole = framesOf([bytes], limit)
  const cut = framesOf(chunksOf(bytes, lengths), limit)
  demand(whole.isRefused === cut.isRefused, 'whether it is refused depends on how the bytes were cut into chunks')
  // Whole frames that come in one chunk with a broken one are not worth keeping: the connection ends there.
  const isSame = whole.isRefused || areSame(whole.frames, cut.frames)
  demand(isSame, 'the frames depend on how the bytes were cut into chunks')
  return cut.frames
}

const areSame = (some: readonly Frame[], others: readonly Frame[]): boolean =>
  some.length === others.length &&
  some.every(({ type, payload }, index) => type === others[index]?.type && Buffer.compare(payload, others[index].payload) === 0)

function framesOf(chunks: readonly Uint8Array[], limit?: number): { readonly frames: readonly Frame[]; readonly isRefused: boolean } {
  const decoder = new FrameDecoder(limit)
  const frames: Frame[] = []
  try {
    for (const chunk of chunks) for (const frame of decoder.push(chunk)) frames.push(frame)
  } catch (error) {
    if (!(error instanceof FrameError)) throw error
    return { frames, isRefused: true }
  }
  return { frames, isRefused: false }
}

/** Null for what is refused in the declared way; anything else that is thrown is a fault. */
export function orRefused<Value>(decode: () => Value): Value | null {
  try {
    return decode()
  } catch (error) {
    if (error instanceof FrameError) return null
    throw error
  }
}

/** What was encoded comes back, in one frame. */
export function judgeRoundTrip<Message>(
  message: Message,
  { encode, decode }: { readonly encode: (message: Message) => Uint8Array; readonly decode: (frame: Frame) => Message | null },
): void {
  const frames = new FrameDecoder().push(encode(message))
  demand(frames.length === 1, `one message became ${frames.length} frames`)
  const back = frames[0] === undefined ? null : decode(frames[0])
  demand(isDeepStrictEqual(withPlainBytes(back), withPlainBytes(message)), 'a message comes back as another one')
}

const withPlainBytes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, inner) => (inner instanceof Uint8Array ? { bytes: [...inner] } : (inner as unknown))))
