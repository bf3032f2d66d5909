import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { terminalView } from '../../../../test/support/terminalView.ts'
import { done, refused } from '../../../base/refusal.ts'
import { utf8Decode, utf8Encode } from '../../../base/utf8.ts'
import { Channel } from '../../../client/channel.ts'
import type { ClientState } from '../../../client/daemonClient.ts'
import type { ChannelOptions, Opened } from '../../../client/stream.ts'
import type { Outcome, Params } from '../../../wire/commands/commands.ts'
import type { ChannelNote, ToDaemon } from '../../../wire/daemon.ts'
import type { TerminalView } from '../../../wire/view.ts'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import type { Place } from '../../state/words.ts'
import { Viewer, type ViewerOptions } from './viewer.ts'

const view = (id: string, run: string | null, state: TerminalView['state'] = 'live'): TerminalView => terminalView({ id, run, state })

/** What the daemon was asked, with the answer still to be given. Channels have the numbers of the asks. */
type Asked = { readonly params: Params<'terminal.open'>; readonly settle: (answer: Opened) => void }

let asked: Asked[]
let sent: ToDaemon[]
let channel: Channel
let drawn: string[]
/** What the daemon was told: terminal, size, lead. */
let looks: string[]
let sizedBy: TerminalView['sizedBy']
let places: Place[]
let tellState: (state: ClientState) => void
let state: ClientState
/** What was drawn as said now, not as replayed. */
let live: string[]
let place: Size | null
let visible: boolean
let notes: (string | null)[]
let viewer: Viewer

const CONNECTED: ClientState = { kind: 'connected', daemon: { version: '1', pid: 1, protocol: 1 } }
const ME: TerminalView['sizedBy'] = { kind: 'client', client: 7, who: 'page' }
const settled = () => vi.advanceTimersByTimeAsync(1_000)

const text = (bytes: Uint8Array) => utf8Decode(bytes)
const last = () => asked.at(-1)!
const answer = (changes: Partial<Outcome<'terminal.open'>> = {}, picture = 'picture', index = asked.length - 1) => {
  const size = { cols: 100, rows: 30 }
  const usual = { terminal: view('a', 'r1'), channel: index + 1, run: 'r1', seq: 7, size, continued: false, lines: null }
  asked[index]!.settle(done({ result: { ...usual, ...changes }, blob: utf8Encode(picture) }))
}
const snapshot = (size: Size, live = true) => answer({ size, ...(live ? {} : { channel: null }) })
const number = () => asked.length
let seq: number
const says = (words: string) => {
  channel.take({ kind: 'output', channel: number(), seq, bytes: utf8Encode(words) })
  seq += words.length
}
const note = (what: ChannelNote) => channel.take({ kind: 'noted', channel: number(), note: what })
const closings = () => sent.flatMap((message) => (message.kind === 'close' ? [message.channel] : []))
const inputs = () => sent.flatMap((message) => (message.kind === 'input' ? [[message.channel, message.bytes.length]] : []))

let mayLook: boolean

beforeEach(() => {
  mayLook = true
  vi.useFakeTimers()
  ;[asked, sent, drawn, live, looks, places, notes, place, visible] = [[], [], [], [], [], [], [], { cols: 100, rows: 30 }, true]
  seq = 7
  state = CONNECTED
  sizedBy = ME
  const client = {
    makeChannel: (options: Omit<ChannelOptions, 'link'>) => {
      channel = new Channel({
        ...options,
        link: {
          ask: (params, settle) => void asked.push({ params, settle }),
          send: (message) => void sent.push(message),
          route: () => undefined,
          unroute: () => undefined,
          over: () => undefined,
          isConnected: () => true,
        },
      })
      return channel
    },
    request: (_: string, { terminal, size, lead }: { terminal: string; size: Size | null; lead: string }) => {
      looks.push(`${terminal} ${size === null ? 'hidden' : `${size.cols}x${size.rows}`} ${lead}`)
      return Promise.resolve(done({ result: { client: 7, terminal: terminalView({ id: terminal, sizedBy }) }, blob: new Uint8Array() }))
    },
    onState: (listener: typeof tellState) => {
      tellState = (next) => {
        state = next
        listener(next)
      }
      return () => undefined
    },
    get state() {
      return state
    },
  }
  const screen = {
    write: (bytes: Uint8Array, consumed?: () => void) => {
      drawn.push(text(bytes))
      consumed?.()
    },
    resize: ({ cols, rows }: Size) => void drawn.push(`${cols}x${rows}`),
    clear: () => void drawn.push('clear'),
    scale: () => undefined,
    measure: () => place,
    replace: ({ bytes }: { bytes: Uint8Array }, since: readonly unknown[], done: () => void) => {
      drawn.push(`replaced by ${text(bytes)} and ${since.length}`)
      done()
    },
    holdRows: () => undefined,
    output: (bytes: Uint8Array, consumed: () => void, isLive: boolean) => {
      drawn.push(text(bytes))
      if (isLive) live.push(text(bytes))
      consumed()
    },
    view: { above: 0, below: 0, rows: 30, isAlternate: false, isFull: false },
  }
  viewer = new Viewer({
    client: client as unknown as ViewerOptions['client'],
    terminal: 'a',
    screen,
    isVisible: () => visible,
    mayLook: () => mayLook,
    onPlace: (seen) => places.push(seen),
    scrollback: { deepest: 50_000, onNote: (note) => void notes.push(note) },
  })
})

afterEach(() => void vi.useRealTimers())

it('draws a snapshot on a cleared screen of its own size, then what follows, acknowledging what was drawn', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  says('more')
  note({ kind: 'resized', seq, size: { cols: 90, rows: 20 } })
  expect(drawn).toEqual(['clear', '100x30', 'picture', 'more', '90x20'])
  says('x'.repeat(40_000))
  expect(sent).toEqual([{ kind: 'ack', channel: 1, bytes: 40_004 }])
})

it('opens a channel for another run, and for nothing else', () => {
  const steps = [view('a', 'r1'), { ...view('a', 'r1'), name: 'x' }, view('a', null, 'asleep'), view('a', 'r2', 'waking'), view('a', 'r2')]
  const counts = steps.map((step) => {
    viewer.show(step)
    return asked.length
  })
  expect(counts).toEqual([1, 1, 1, 1, 2])
  answer({}, 'late', 0)
  expect(closings()).toEqual([1]) // an answer for the run from before
  answer()
  expect([closings(), drawn]).toEqual([[1], ['clear', '100x30', 'picture']])
})

it('goes back to the picture from before a resume that failed', () => {
  const steps = [
    view('a', 'r1', 'asleep'),
    view('a', 'r2', 'waking'),
    view('a', 'r2'),
    view('a', 'r1', 'asleep'),
    view('a', 'r1', 'asleep'),
  ]
  const counts = steps.map((step) => {
    viewer.show(step)
    return asked.length
  })
  expect(counts).toEqual([1, 1, 2, 3, 3])
})

it('sends what is typed to a running program, a huge paste in slices, and says why where it cannot', () => {
  viewer.show(view('a', 'r1'))
  expect(viewer.type(new Uint8Array(1))).toBeNull() // the channel keeps it until it is open
  snapshot({ cols: 100, rows: 30 })
  expect(viewer.type(new Uint8Array(600_000))).toBeNull()
  tellState({ kind: 'waiting', why: 'gone' })
  expect(viewer.type(new Uint8Array(1))).toBe('away')
  tellState({ kind: 'connecting' })
  expect(viewer.type(new Uint8Array(1))).toBe('away')
  tellState(CONNECTED)
  note({ kind: 'exited', seq, status: { code: 0 } })
  expect(viewer.type(new Uint8Array(1))).toBe('notRunning')
  expect(inputs().map(([, length]) => length)).toEqual([1, 262_144, 262_144, 75_712])
})

it('says through a place of which size it is looked at, once when it is opened, and when it is not any more', async () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 80, rows: 24 })
  snapshot({ cols: 80, rows: 24 })
  await settled()
  viewer.close()
  expect(looks).toEqual(['a 100x30 ifFree', 'a hidden no'])
  expect(places).toEqual([{ size: place, client: 7 }])
})

it('takes for printed now only what comes after it has caught up', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 80, rows: 24 })
  says('before')
  note({ kind: 'caughtUp', seq })
  says('now')
  channel.take({ kind: 'lost', why: 'gone' })
  channel.take({ kind: 'linked' })
  expect(last().params).toMatchObject({ from: { run: 'r1', seq } })
  answer({ continued: true, seq })
  says('missed')
  note({ kind: 'caughtUp', seq })
  says('again')
  expect(drawn.slice(3)).toEqual(['before', 'now', 'missed', 'again'])
  expect(live).toEqual(['now', 'again'])
})

it('is followed only while it is seen, also when a new run begins meanwhile', () => {
  viewer.show(view('a', 'r1'))
  answer()
  viewer.pause()
  expect(closings()).toEqual([1])
  viewer.show(view('a', 'r2'))
  expect(asked).toHaveLength(1)
  viewer.resume()
  expect(asked).toHaveLength(2)
})

it('is not followed while it is skipped; then it is shown as it is, or continues where it was', () => {
  viewer.show(view('a', 'r1'))
  answer()
  viewer.skip()
  viewer.resume()
  expect([closings(), asked.length]).toEqual([[1], 1])
  viewer.goOn('now')
  expect(last().params).toEqual({ terminal: 'a', window: 131_072, history: 100 })
  answer()
  viewer.skip()
  viewer.goOn('there')
  expect(last().params).toMatchObject({ from: { run: 'r1', seq: 7 } })
  viewer.skip()
  viewer.pause()
  viewer.goOn('now')
  expect(asked).toHaveLength(3)
  viewer.resume() // what waited to be drawn was dropped: a continued stream would have a hole there
  expect(last().params).toEqual({ terminal: 'a', window: 131_072, history: 100 })
})

it('looks at a program that sleeps too, so that it wakes at the right size', async () => {
  viewer.show(view('a', null, 'asleep'))
  snapshot({ cols: 80, rows: 24 }, false)
  await settled()
  expect(looks).toEqual(['a 100x30 ifFree'])
})

it('leaves it to the daemon that typing leads, and asks for the lead only when told to', async () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 80, rows: 24 })
  viewer.type(new Uint8Array(1))
  viewer.looks.lead()
  await settled()
  expect(looks).toEqual(['a 100x30 ifFree', 'a 100x30 yes'])
})

it('tells only the last size of a drag, that it is hidden, and nothing while the place cannot be measured', async () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  for (const cols of [101, 102, 103]) {
    place = { cols, rows: 30 }
    viewer.looks.placeChanged()
  }
  await settled()
  viewer.looks.placeChanged()
  await settled()
  visible = false
  viewer.looks.placeChanged()
  await settled()
  visible = true
  place = null
  viewer.looks.placeChanged()
  await settled()
  expect(looks).toEqual(['a 100x30 ifFree', 'a 103x30 ifFree', 'a hidden ifFree'])
})

it.each([
  ['asks to lead again after a lost link if it led before', ME, 'ifFree'],
  ['does not ask after a lost link if somebody else led', { kind: 'client', client: 8, who: 'attach' }, 'no'],
] as const)('%s', async (_, by, lead) => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  await settled()
  viewer.show({ ...view('a', 'r1'), sizedBy: by })
  tellState({ kind: 'waiting', why: 'gone' })
  viewer.show({ ...view('a', 'r1'), sizedBy: { kind: 'nobody' } })
  tellState({ kind: 'connecting' })
  tellState({ kind: 'connected', daemon: { version: '1', pid: 1, protocol: 1 } })
  expect(looks).toEqual(['a 100x30 ifFree', `a 100x30 ${lead}`])
})

it('puts a deeper drawing in the place of the one there is when somebody scrolls up, and types into what is shown', () => {
  viewer.show(view('a', 'r1'))
  answer({ lines: { first: 0, from: 500 } })
  viewer.scrollback.viewed({ above: 20, below: 980, rows: 30, isAlternate: false, isFull: false })
  expect(asked.map(({ params }) => params.history)).toEqual([1_000, 6_000])
  viewer.type(new Uint8Array(2))
  answer({ lines: { first: 0, from: 0 } }, 'deeper')
  expect(drawn).toEqual(['clear', '100x30', 'picture', 'replaced by deeper and 0'])
  expect(closings()).toEqual([1])
  viewer.type(new Uint8Array(3))
  expect(inputs()).toEqual([
    [1, 2],
    [2, 3],
  ])
})

it('tries again what could not be opened once something has changed, and not before', () => {
  const refusal = { code: 'holder-unreachable', message: '', hint: '' } as const
  viewer.show(view('a', 'r1'))
  last().settle(refused(refusal))
  viewer.show({ ...view('a', 'r1'), name: 'x' })
  expect(asked).toHaveLength(1)
  viewer.show(view('a', 'r1', 'asleep'))
  expect(asked).toHaveLength(2)
  snapshot({ cols: 100, rows: 30 }, false)
  viewer.show({ ...view('a', 'r1', 'asleep'), name: 'x' })
  expect(asked).toHaveLength(2)
})

it('knows its place without telling the daemon where this browser is view only', () => {
  mayLook = false
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  viewer.looks.lead()
  viewer.close()
  expect(looks).toEqual([])
  expect(places.at(-1)).toEqual({ size: place, client: null })
})
