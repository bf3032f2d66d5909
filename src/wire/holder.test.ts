import { describe, expect, it } from 'vitest'
import type { RunId, TerminalId } from '../base/ids.ts'
import { encodeFrame, encodeJsonFrame, type Frame, FrameDecoder, FrameError } from './frames.ts'
import {
  commonVersion,
  decodeFromHolder,
  decodeToHolder,
  encodeFromHolder,
  encodeOutputInto,
  encodeToHolder,
  type FromHolder,
  type HolderStatus,
  OUTPUT_HEADER_BYTES,
  type ToHolder,
} from './holder.ts'

const frameOf = (bytes: Uint8Array): Frame => new FrameDecoder().push(bytes)[0]!
const size = { cols: 80, rows: 24 }
const status: HolderStatus = {
  pid: 5,
  pidStart: '77',
  holderPid: 4,
  startedAt: 1,
  seq: 10,
  oldest: 0,
  size,
  foreground: { pid: 6, name: 'vim' },
  exit: null,
  degraded: null,
}
const speaks = { oldest: 1, newest: 1 }

const fromHolder: FromHolder[] = [
  { kind: 'hello', hello: { speaks, capabilities: [], terminal: 't1' as TerminalId, run: 'r1' as RunId, status } },
  { kind: 'subscribed', from: 3, size, answeredTo: 2 },
  { kind: 'output', seq: 2 ** 40, bytes: Uint8Array.of(0, 255, 27) },
  { kind: 'resized', seq: 4, size },
  { kind: 'gap', from: 1, to: 9, size },
  { kind: 'caughtUp', seq: 9 },
  { kind: 'exited', seq: 9, status: { code: 0 } },
  { kind: 'status', status },
]

const toHolder: ToHolder[] = [
  { kind: 'hello', hello: { speaks, who: 'test' } },
  { kind: 'input', bytes: Uint8Array.of(3) },
  { kind: 'answer', seq: 12, bytes: Uint8Array.of(27, 91) },
  { kind: 'resize', size },
  { kind: 'signal', request: { signal: 'SIGINT', to: 'tree' } },
  { kind: 'subscribe', subscribe: { from: 'oldest', window: 4, follow: true, patienceMs: 4 } },
  { kind: 'ack', bytes: 7 },
  { kind: 'askStatus' },
  { kind: 'tellOutput', from: 2 ** 40 },
  { kind: 'takeExit' },
]

const HELLO = 1
const RESIZE = 17
const SIGNAL = 18
const SUBSCRIBE = 19
const ACK = 20

describe('the holder protocol', () => {
  it.each(fromHolder)('carries $kind from the holder', (message) =>
    expect(decodeFromHolder(frameOf(encodeFromHolder(message)))).toEqual(message),
  )
  it.each(toHolder)('carries $kind to the holder', (message) => expect(decodeToHolder(frameOf(encodeToHolder(message)))).toEqual(message))

  it('encodes output into given memory exactly as without', () => {
    const bytes = Buffer.from('some output')
    const memory = new Uint8Array(bytes.length + OUTPUT_HEADER_BYTES)
    expect(encodeOutputInto(memory, 99, bytes)).toEqual(encodeFromHolder({ kind: 'output', seq: 99, bytes }))
  })

  it('skips messages of a later version', () => {
    expect(decodeFromHolder(frameOf(encodeFrame(200)))).toBeNull()
    expect(decodeToHolder(frameOf(encodeFrame(200)))).toBeNull()
  })

  it.each([
    ['a hello without versions', encodeJsonFrame(HELLO, { who: 'x' })],
    ['a hello that is not JSON', encodeFrame(HELLO, Buffer.from('{'))],
    ['a size of no columns', encodeJsonFrame(RESIZE, { cols: 0, rows: 5 })],
    ['a signal that could hurt the holder', encodeJsonFrame(SIGNAL, { signal: 'SIGSEGV', to: 'tree' })],
    ['a window of nothing', encodeJsonFrame(SUBSCRIBE, { from: 0, window: 0, follow: true })],
    ['a seq below zero', encodeJsonFrame(SUBSCRIBE, { from: -1, window: 10, follow: true })],
    ['an ack that is cut off', encodeFrame(ACK, Uint8Array.of(1, 2))],
  ])('refuses %s', (_, frame) => expect(() => decodeToHolder(frameOf(frame))).toThrow(FrameError))

  it('finds the newest common version, or none', () => {
    expect(commonVersion({ oldest: 1, newest: 3 }, { oldest: 2, newest: 5 })).toBe(3)
    expect(commonVersion({ oldest: 1, newest: 1 }, { oldest: 2, newest: 2 })).toBeNull()
  })
})
