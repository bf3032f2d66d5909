import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import { done } from '../../base/refusal.ts'
import type { Afresh, ChannelHandlers } from '../../client/channel.ts'
import type { ClientState } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Size } from '../../workspace/terminal.ts'
import type { Output } from './pace.ts'
import { type Place, Viewer, type ViewerOptions } from './viewer.ts'

const view = (id: string, run: string | null, state: TerminalView['state'] = 'live'): TerminalView => terminalView({ id, run, state })

type Opened = {
  terminal: string
  handlers: ChannelHandlers
  typed: number[]
  closed: boolean
  paused: boolean
  afresh?: Afresh | undefined
}

let opened: Opened[]
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

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const last = () => opened.at(-1)!
const snapshot = (size: Size, live = true) =>
  last().handlers.onSnapshot({ bytes: new TextEncoder().encode('picture'), seq: 7, size, terminal: view('a', 'r1'), live, lines: null })

let mayLook: boolean

beforeEach(() => {
  mayLook = true
  vi.useFakeTimers()
  ;[opened, drawn, live, looks, places, notes, place, visible] = [[], [], [], [], [], [], { cols: 100, rows: 30 }, true]
  state = CONNECTED
  sizedBy = ME
  const client = {
    openChannel: ({ terminal, handlers }: { terminal: string; handlers: ChannelHandlers }) => {
      const channel: Opened = { terminal, handlers, typed: [], closed: false, paused: false }
      opened.push(channel)
      const close = () => {
        channel.closed = true
      }
      const pause = (paused: boolean) => (afresh?: Afresh) => {
        channel.paused = paused
        channel.afresh = afresh
      }
      return { input: (bytes: Uint8Array) => channel.typed.push(bytes.length), close, pause: pause(true), resume: pause(false) }
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
    output: ({ bytes, isLive, consumed }: Output) => {
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
  const consumed = vi.fn()
  last().handlers.onOutput(new TextEncoder().encode('more'), consumed)
  last().handlers.onResized({ cols: 90, rows: 20 })
  expect(drawn).toEqual(['clear', '100x30', 'picture', 'more', '90x20'])
  expect(consumed).toHaveBeenCalledOnce()
})

it('opens a channel for another run, and for nothing else', () => {
  const steps = [view('a', 'r1'), { ...view('a', 'r1'), name: 'x' }, view('a', null, 'asleep'), view('a', 'r2', 'waking'), view('a', 'r2')]
  const counts = steps.map((step) => {
    viewer.show(step)
    return opened.length
  })
  expect(counts).toEqual([1, 1, 1, 1, 2])
  expect(opened.map(({ closed }) => closed)).toEqual([true, false])
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
    return opened.length
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
  last().handlers.onExited({ code: 0 })
  expect(viewer.type(new Uint8Array(1))).toBe('notRunning')
  expect(last().typed).toEqual([1, 262_144, 262_144, 75_712])
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

it('takes for said now only what comes after it has caught up, while somebody can see it', () => {
  viewer.show(view('a', 'r1'))
  const { handlers } = last()
  const say = (words: string) => handlers.onOutput(new TextEncoder().encode(words), () => undefined)
  handlers.onLink(true, '')
  snapshot({ cols: 80, rows: 24 })
  say('before')
  handlers.onCaughtUp?.()
  say('now')
  visible = false
  say('unseen')
  visible = true
  handlers.onLink(false, 'gone')
  handlers.onLink(true, '')
  say('missed')
  handlers.onCaughtUp?.()
  say('again')
  expect(drawn.slice(3)).toEqual(['before', 'now', 'unseen', 'missed', 'again'])
  expect(live).toEqual(['now', 'again'])
})

it('is followed only while somebody looks, also when a new run begins meanwhile', () => {
  viewer.show(view('a', 'r1'))
  viewer.pause()
  expect(last().paused).toBe(true)
  viewer.show(view('a', 'r2'))
  expect(opened.map(({ paused }) => paused)).toEqual([true, true])
  viewer.resume()
  expect(last().paused).toBe(false)
})

it('is not followed while it is skipped; then it is shown as it is, or goes on where it was', () => {
  viewer.show(view('a', 'r1'))
  viewer.skip()
  viewer.resume()
  expect(last()).toMatchObject({ paused: true })
  viewer.goOn('now')
  expect(last()).toMatchObject({ paused: false, afresh: { history: 100 } })
  viewer.skip()
  viewer.goOn('there')
  expect(last()).toMatchObject({ paused: false, afresh: undefined })
  viewer.skip()
  viewer.pause()
  viewer.goOn('now')
  expect(last().paused).toBe(true)
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
  viewer.lead()
  await settled()
  expect(looks).toEqual(['a 100x30 ifFree', 'a 100x30 yes'])
})

it('tells only the last size of a drag, that it is hidden, and nothing while the place cannot be measured', async () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  for (const cols of [101, 102, 103]) {
    place = { cols, rows: 30 }
    viewer.placeChanged()
  }
  await settled()
  viewer.placeChanged()
  await settled()
  visible = false
  viewer.placeChanged()
  await settled()
  visible = true
  place = null
  viewer.placeChanged()
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
  const size = { cols: 100, rows: 30 }
  const bytes = new TextEncoder().encode('picture')
  const live = { bytes, seq: 7, size, terminal: view('a', 'r1'), live: true }
  last().handlers.onSnapshot({ ...live, lines: { first: 0, from: 500 } })
  viewer.scrollback.viewed({ above: 20, below: 980, rows: 30, isAlternate: false, isFull: false })
  expect(opened).toHaveLength(2)
  last().handlers.onSnapshot({ ...live, bytes: new TextEncoder().encode('deeper'), lines: { first: 0, from: 0 } })
  expect(drawn).toEqual(['clear', '100x30', 'picture', 'replaced by deeper and 0'])
  expect(opened.map(({ closed }) => closed)).toEqual([true, false])
  viewer.type(new Uint8Array(3))
  expect(opened.map(({ typed }) => typed)).toEqual([[], [3]])
})

it('tries again what could not be opened once something has changed, and not before', () => {
  const refusal = { code: 'holder-unreachable', message: '', hint: '' } as const
  viewer.show(view('a', 'r1'))
  last().handlers.onRefused(refusal)
  viewer.show({ ...view('a', 'r1'), name: 'x' })
  expect(opened).toHaveLength(1)
  viewer.show(view('a', 'r1', 'asleep'))
  expect(opened).toHaveLength(2)
  snapshot({ cols: 100, rows: 30 }, false)
  viewer.show({ ...view('a', 'r1', 'asleep'), name: 'x' })
  expect(opened).toHaveLength(2)
})

it('knows its place without telling the daemon where this browser is view only', () => {
  mayLook = false
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  viewer.lead()
  viewer.close()
  expect(looks).toEqual([])
  expect(places.at(-1)).toEqual({ size: place, client: null })
})
