import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import type { ChannelHandlers, ChannelSnapshot } from '../../client/channel.ts'
import { DeepChannel, type Piece } from './deepChannel.ts'

const SIZE = { cols: 80, rows: 24 }
const WHOLE = 'abcdefghijklmnopqrstuvwxyz'

/** A channel that has been opened; each drawing is the text of everything up to where it is. */
type Opened = { readonly history: number; readonly handlers: ChannelHandlers; readonly typed: string[]; isClosed: boolean; at: number }

let opened: Opened[]
let drawing: string
let log: string[]
let channel: DeepChannel

const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (piece.kind === 'output' ? utf8Decode(piece.bytes) : `<${piece.size.cols}>`)).join('')
const shot = (seq: number, live = true): ChannelSnapshot => ({
  bytes: utf8Encode(WHOLE.slice(0, seq)),
  seq,
  size: SIZE,
  terminal: terminalView({}),
  live,
  lines: null,
})

beforeEach(() => begin())

function begin(): void {
  ;[opened, drawing, log] = [[], '', []]
  const openChannel = ({ history, handlers }: { history: number; handlers: ChannelHandlers }) => {
    const one: Opened = { history, handlers, typed: [], isClosed: false, at: 0 }
    opened.push(one)
    return {
      input: (bytes: Uint8Array) => one.typed.push(utf8Decode(bytes)),
      close: () => {
        one.isClosed = true
      },
    }
  }
  channel = new DeepChannel({
    client: { openChannel } as never,
    terminal: 't',
    window: 1 << 20,
    history: 1_000,
    handlers: {
      onSnapshot: ({ bytes }) => {
        drawing = utf8Decode(bytes)
      },
      onOutput: (bytes, consumed) => {
        drawing += utf8Decode(bytes)
        consumed()
      },
      onDeepened: ({ bytes }, since) => {
        log.push(`deeper at ${drawing.length}`)
        expect(utf8Decode(bytes) + textOf(since)).toBe(drawing)
        drawing = utf8Decode(bytes) + textOf(since)
      },
      onNotDeepened: () => log.push('not deeper'),
      onResized: ({ cols }) => {
        drawing += `<${cols}>`
      },
      onExited: () => log.push('exited'),
      onLink: () => undefined,
      onRefused: () => log.push('refused'),
    },
  })
}

const start = (index: number, seq: number, live = true): void => {
  const one = opened[index]
  if (one === undefined) throw new Error('not opened')
  one.at = seq
  one.handlers.onSnapshot(shot(seq, live))
}
const send = (index: number, count: number): void => {
  const one = opened[index]
  if (one === undefined || one.isClosed) return
  const text = WHOLE.slice(one.at, one.at + count)
  one.at += text.length
  if (text !== '') one.handlers.onOutput(utf8Encode(text), () => undefined)
}

it('hands over at the same byte, whoever is ahead', () => {
  start(0, 10)
  channel.deepen(6_000)
  send(0, 5)
  start(1, 12)
  expect(log).toEqual([])
  send(1, 6)
  expect(log).toEqual(['deeper at 15'])
  expect(drawing).toBe(WHOLE.slice(0, 18))
  expect(opened.map(({ history, isClosed }) => [history, isClosed])).toEqual([
    [1_000, true],
    [6_000, false],
  ])
})

it('waits for the drawing where the snapshot is ahead of it', () => {
  start(0, 3)
  channel.deepen(6_000)
  start(1, 8)
  send(0, 2)
  expect(log).toEqual([])
  send(0, 3)
  expect(log).toEqual(['deeper at 8'])
})

it('takes a terminal that does not run as it is', () => {
  start(0, 10, false)
  channel.deepen(6_000)
  start(1, 10, false)
  expect(log).toEqual(['deeper at 10'])
})

it('types into the one that is shown', () => {
  start(0, 10)
  channel.deepen(6_000)
  channel.input(utf8Encode('a'))
  start(1, 10)
  channel.input(utf8Encode('b'))
  expect(opened.map(({ typed }) => typed)).toEqual([['a'], ['b']])
})

it('keeps what there is where no deeper one can be had', () => {
  start(0, 10)
  channel.deepen(6_000)
  opened[1]?.handlers.onRefused({ code: 'x', message: '', hint: '' } as never)
  send(0, 2)
  expect(log).toEqual(['not deeper'])
  expect(drawing).toBe(WHOLE.slice(0, 12))
})

it('lets the last wish count, and closes everything at the end', () => {
  start(0, 10)
  channel.deepen(6_000)
  channel.deepen(20_000)
  start(2, 10)
  channel.deepen(50_000)
  channel.close()
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true])
})

it('draws every byte once, however the two channels interleave', () => {
  const acts = fc.array(
    fc.oneof(fc.record({ to: fc.constantFrom(0, 1), count: fc.integer({ min: 1, max: 4 }) }), fc.constant('snapshot' as const)),
    {
      maxLength: 40,
    },
  )
  fc.assert(
    fc.property(acts, fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 20 }), (steps, first, second) => {
      begin()
      start(0, first)
      channel.deepen(6_000)
      let isThere = false
      for (const step of steps) {
        if (step === 'snapshot') {
          if (!isThere) start(1, second)
          isThere = true
        } else if (step.to === 0 || isThere) send(step.to, step.count)
        expect(WHOLE.startsWith(drawing)).toBe(true)
      }
      if (!isThere) start(1, second)
      send(0, 26)
      send(1, 26)
      expect(drawing).toBe(WHOLE)
      expect(log).toHaveLength(1)
      channel.close()
    }),
  )
})
