import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { terminalView } from '../../test/support/terminalView.ts'
import { done, refusals, refused } from '../base/refusal.ts'
import { utf8Decode, utf8Encode } from '../base/utf8.ts'
import type { Outcome } from '../wire/commands/commands.ts'
import { step } from './channel.ts'
import { type Effect, type Hold, idleStream, type Piece, type StreamEvent } from './stream.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** What the program prints; no two places of it look alike. */
const LOG = Array.from({ length: 40 }, (_, at) => `${LETTERS[at % 26]}${at}.`).join('')
const SIZE = { cols: 80, rows: 24 }
const WINDOW = 64

type Ask = Extract<Effect, { kind: 'ask' }>
type Open = { sent: number; acknowledged: number; delivered: number }

const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (piece.kind === 'output' ? utf8Decode(piece.bytes) : `<${piece.size.cols}>`)).join('')

/** A daemon at one end of the machine, a drawing at the other. Every effect is checked as it comes. */
class World {
  stream = idleStream(WINDOW)
  drawn = ''
  /** What waits for its turn to be drawn. */
  pending = ''
  /** Output that waited was dropped: only a snapshot may follow. */
  isStale = false
  asks: Ask[] = []
  readonly open = new Map<number, Open>()
  log: string[] = []
  typed: [number, string][] = []
  printed = 0
  private numbers = 0
  private due: { ask: number; count: number }[] = []

  take(event: StreamEvent): void {
    const { stream, effects } = step(this.stream, event)
    this.stream = stream
    for (const effect of effects) this.act(effect)
    if (this.stream.phase !== 'opening' && this.stream.shown !== null && !this.isStale)
      expect(this.stream.shown.seq).toBe(this.drawing.length)
  }

  get drawing(): string {
    return this.drawn + this.pending
  }

  private act(effect: Effect): void {
    if (effect.kind === 'output' || effect.kind === 'snapshot' || effect.kind === 'deepened') expect(this.stream.holds).toEqual([])
    switch (effect.kind) {
      case 'ask':
        this.asks.push(effect)
        return
      case 'unroute':
        return void this.open.delete(effect.channel)
      case 'send':
        return this.hear(effect.message)
      case 'snapshot':
        ;[this.drawn, this.pending, this.isStale] = [utf8Decode(effect.snapshot.bytes), '', false]
        return
      case 'output':
        expect(this.isStale).toBe(false)
        this.pending += utf8Decode(effect.bytes)
        if (effect.ask !== null) this.due.push({ ask: effect.ask, count: effect.count })
        return expect(LOG.startsWith(this.drawing)).toBe(true) as never
      case 'deepened': {
        const whole = utf8Decode(effect.snapshot.bytes) + textOf(effect.since)
        if (!this.isStale) expect(whole).toBe(this.drawing)
        ;[this.drawn, this.pending, this.isStale] = [whole, '', false]
        this.log.push(`deeper at ${this.drawn.length}`)
        return
      }
      case 'resized':
        this.log.push(`${effect.size.cols}`)
        return
      case 'notDeepened':
      case 'exited':
      case 'refused':
        this.log.push(effect.kind)
        return
      default:
        return
    }
  }

  private hear(message: Extract<Effect, { kind: 'send' }>['message']): void {
    if (message.kind === 'close') this.open.delete(message.channel)
    if (message.kind === 'input') this.typed.push([message.channel, utf8Decode(message.bytes)])
    if (message.kind !== 'ack') return
    const open = this.open.get(message.channel)
    if (open === undefined) throw new Error('a closed channel was acknowledged')
    open.acknowledged += message.bytes
    expect(open.acknowledged).toBeLessThanOrEqual(open.delivered)
  }

  /** The oldest ask is answered, with the stream from where it wants or with a snapshot of `at`. */
  answer({ at = this.printed, canContinue = true, live = true, run = 'r1' } = {}): void {
    const ask = this.asks.shift()
    if (ask === undefined) return
    const continued = canContinue && ask.from !== null && ask.from.run === run
    const seq = continued ? (ask.from?.seq ?? 0) : at
    const channel = live ? ++this.numbers : null
    if (channel !== null) this.open.set(channel, { sent: seq, acknowledged: 0, delivered: 0 })
    const result: Outcome<'terminal.open'> = { terminal: terminalView({}), channel, run, seq, size: SIZE, continued, lines: null }
    this.take({ kind: 'answered', ask: ask.ask, answer: done({ result, blob: utf8Encode(continued ? '' : LOG.slice(0, seq)) }) })
  }

  /** `again` bytes are sent a second time; `skipped` ones are lost. */
  deliver(channel: number, { count = LOG.length, again = 0, skipped = 0 } = {}): void {
    const open = this.open.get(channel)
    if (open === undefined) return
    const from = Math.max(0, open.sent - again) + skipped
    const bytes = LOG.slice(from, Math.min(this.printed, open.sent + count))
    if (bytes === '' || from + bytes.length <= open.sent - again) return
    open.sent = from + bytes.length
    open.delivered += bytes.length
    this.take({ kind: 'output', channel, seq: from, bytes: utf8Encode(bytes) })
  }

  consume(): void {
    this.drawn += this.pending
    this.pending = ''
    for (const { ask, count } of this.due.splice(0)) this.take({ kind: 'consumed', ask, count })
  }

  lose(): void {
    for (const { ask } of this.asks.splice(0)) this.take({ kind: 'answered', ask, answer: refused(refusals.daemonUnreachable('gone')) })
    this.open.clear()
    this.take({ kind: 'lost', why: 'gone' })
  }

  release(why: Hold, afresh: boolean): void {
    const isHeld = this.stream.holds.includes(why)
    if (isHeld && afresh) {
      this.isStale ||= this.pending !== ''
      this.pending = ''
    }
    this.take({ kind: 'release', why, afresh: isHeld && afresh ? { history: 100 } : undefined })
  }

  retry(): void {
    for (const line of [this.stream.shown, this.stream.deeper?.line])
      if (line?.way.kind === 'retrying') this.take({ kind: 'retry', line: line.id })
  }

  /** Everything works again, and all that was printed arrives. */
  settle(): void {
    this.take({ kind: 'linked' })
    for (const why of ['hidden', 'flood'] as const) this.release(why, false)
    for (let round = 0; round < 20; round += 1) {
      this.retry()
      while (this.asks.length > 0) this.answer()
      for (const channel of [...this.open.keys()]) this.deliver(channel)
      this.consume()
    }
  }
}

let world: World
beforeEach(() => begin())

function begin(): void {
  world = new World()
  world.take({ kind: 'linked' })
  world.take({ kind: 'show', subject: { run: 'r1', condition: '' }, history: 1_000 })
}

const start = (seq: number, live = true): void => {
  world.printed = Math.max(seq, world.printed)
  world.answer({ at: seq, live })
}
const deepen = (history = 6_000): void => world.take({ kind: 'deepen', history })
const send = (channel: number, count: number): void => {
  world.printed = Math.max(world.printed, (world.open.get(channel)?.sent ?? 0) + count)
  world.deliver(channel, { count })
}

describe('a deeper drawing', () => {
  it('takes over at the same byte, whichever line is ahead', () => {
    start(10)
    deepen()
    send(1, 5)
    start(12)
    expect(world.log).toEqual([])
    send(2, 6)
    expect(world.log).toEqual(['deeper at 15'])
    expect(world.drawing).toBe(LOG.slice(0, 18))
    expect([...world.open.keys()]).toEqual([2])
  })

  it('waits for the drawing where the snapshot is ahead of it', () => {
    start(3)
    deepen()
    start(8)
    send(1, 2)
    expect(world.log).toEqual([])
    send(1, 3)
    expect(world.log).toEqual(['deeper at 8'])
  })

  it('is taken as it is where nothing runs', () => {
    start(10, false)
    deepen()
    start(10, false)
    expect(world.log).toEqual(['deeper at 10'])
  })

  it('gets what is typed once it is shown', () => {
    start(10)
    deepen()
    world.take({ kind: 'typed', bytes: utf8Encode('a') })
    start(10)
    world.take({ kind: 'typed', bytes: utf8Encode('b') })
    expect(world.typed).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
  })

  it('leaves what there is where it is refused', () => {
    start(10)
    deepen()
    const { ask } = world.asks[0]!
    world.take({ kind: 'answered', ask, answer: refused(refusals.terminalNotFound('t')) })
    send(1, 2)
    expect(world.log).toEqual(['notDeepened'])
    expect(world.drawing).toBe(LOG.slice(0, 12))
  })

  it('is the one that was asked for last; all channels are closed at the end', () => {
    start(10)
    deepen(6_000)
    deepen(20_000)
    expect(world.asks.map(({ history }) => history)).toEqual([6_000, 20_000])
    world.asks.shift()
    start(10)
    deepen(50_000)
    world.take({ kind: 'close' })
    start(10)
    expect(world.open.size).toBe(0)
    expect(world.log).toEqual(['deeper at 10'])
  })

  it('of another run waits until that run is shown', () => {
    start(10)
    deepen()
    world.answer({ at: 10, run: 'r2' })
    send(1, 2)
    expect(world.log).toEqual([])
  })

  it('keeps a size in its place', () => {
    start(4)
    deepen()
    start(4)
    world.take({ kind: 'noted', channel: 2, note: { kind: 'resized', seq: 4, size: { cols: 90, rows: 9 } } })
    expect(world.log).toEqual(['deeper at 4', '90'])
  })
})

it('a stream that was dropped while it was held continues with a snapshot, whatever released it last', () => {
  start(5)
  send(1, 5)
  world.take({ kind: 'hold', why: 'flood' })
  world.take({ kind: 'hold', why: 'hidden' })
  world.release('flood', true)
  world.release('hidden', false)
  expect(world.asks.at(-1)).toMatchObject({ from: null, history: 100 })
  world.settle()
  expect(world.drawing).toBe(LOG.slice(0, 10))
})

const act = fc.oneof(
  fc.record({ do: fc.constant('print' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('answer' as const), back: fc.integer({ min: 0, max: 6 }), canContinue: fc.boolean() }),
  fc.record({
    do: fc.constant('deliver' as const),
    which: fc.integer({ min: 0, max: 2 }),
    count: fc.integer({ min: 1, max: 9 }),
    again: fc.integer({ min: 0, max: 4 }),
    skipped: fc.constantFrom(0, 0, 0, 0, 2),
  }),
  fc.record({ do: fc.constant('break' as const), which: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constantFrom('hold' as const, 'release' as const, 'drop' as const), why: fc.constantFrom<Hold>('hidden', 'flood') }),
  fc.record({ do: fc.constantFrom('lose' as const, 'link' as const, 'retry' as const, 'consume' as const, 'deepen' as const) }),
)

it('every byte is drawn once and in order, whatever happens between the daemon and the drawing', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      begin()
      for (const each of acts) {
        const channelAt = (which: number): number => [...world.open.keys()][which] ?? -1
        switch (each.do) {
          case 'print':
            world.printed = Math.min(LOG.length, world.printed + each.count)
            break
          case 'answer':
            world.answer({ at: Math.max(0, world.printed - each.back), canContinue: each.canContinue })
            break
          case 'deliver':
            world.deliver(channelAt(each.which), each)
            break
          case 'break':
            if (world.open.size > each.which)
              world.take({ kind: 'noted', channel: channelAt(each.which), note: { kind: 'broken', why: 'it fell behind' } })
            break
          case 'hold':
            world.take({ kind: 'hold', why: each.why })
            break
          case 'release':
          case 'drop':
            world.release(each.why, each.do === 'drop' && each.why === 'flood')
            break
          case 'lose':
            world.lose()
            break
          case 'link':
            world.take({ kind: 'linked' })
            break
          case 'retry':
            world.retry()
            break
          case 'consume':
            world.consume()
            break
          case 'deepen':
            deepen()
        }
        expect(world.isStale || LOG.startsWith(world.drawing)).toBe(true)
        expect(world.open.size).toBeLessThanOrEqual(2)
      }
      world.settle()
      expect(world.drawing).toBe(LOG.slice(0, world.printed))
      expect(world.stream.deeper).toBeNull()
      world.take({ kind: 'close' })
      expect(world.open.size).toBe(0)
    }),
    { numRuns: 1_000 },
  )
})
