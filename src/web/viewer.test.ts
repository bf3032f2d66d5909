import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { terminalView } from '../../test/support/terminalView.ts'
import type { ChannelHandlers } from '../client/channel.ts'
import type { TerminalView } from '../wire/view.ts'
import type { Size } from '../workspace/terminal.ts'
import { Viewer, type ViewerOptions } from './viewer.ts'

const view = (id: string, run: string | null, state: TerminalView['state'] = 'live'): TerminalView => terminalView({ id, run, state })

type Opened = { terminal: string; handlers: ChannelHandlers; typed: number[]; closed: boolean }

let opened: Opened[]
let drawn: string[]
let resizes: Size[]
let place: Size | null
let visible: boolean
let notes: (string | null)[]
let viewer: Viewer

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const last = () => opened.at(-1)!
const snapshot = (size: Size, live = true) =>
  last().handlers.onSnapshot({ bytes: new TextEncoder().encode('picture'), seq: 7, size, terminal: view('a', 'r1'), live, lines: null })

beforeEach(() => {
  vi.useFakeTimers()
  ;[opened, drawn, resizes, notes, place, visible] = [[], [], [], [], { cols: 100, rows: 30 }, true]
  const client = {
    openChannel: ({ terminal, handlers }: { terminal: string; handlers: ChannelHandlers }) => {
      const channel: Opened = { terminal, handlers, typed: [], closed: false }
      opened.push(channel)
      const close = () => {
        channel.closed = true
      }
      return { input: (bytes: Uint8Array) => channel.typed.push(bytes.length), close }
    },
    request: (_: string, { size }: { size: Size }) => Promise.resolve(resizes.push(size)),
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
  }
  const scrollback = { deepest: 50_000, onNote: (note: string | null) => void notes.push(note) }
  viewer = new Viewer({ client: client as unknown as ViewerOptions['client'], screen, isVisible: () => visible, scrollback })
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

it('opens a channel for another terminal or another run, and for nothing else', () => {
  const steps = [
    view('a', 'r1'),
    { ...view('a', 'r1'), name: 'x' },
    view('a', null, 'asleep'),
    view('a', 'r2', 'waking'),
    view('a', 'r2'),
    view('b', 'r3'),
  ]
  const counts = steps.map((step) => {
    viewer.show(step)
    return opened.length
  })
  expect(counts).toEqual([1, 1, 1, 1, 2, 3])
  expect(opened.map(({ closed }) => closed)).toEqual([true, true, false])
})

it('sends what is typed only to a running program, a huge paste in slices', () => {
  viewer.show(view('a', 'r1'))
  viewer.type(new Uint8Array(1))
  snapshot({ cols: 100, rows: 30 })
  viewer.type(new Uint8Array(600_000))
  last().handlers.onExited({ code: 0 })
  viewer.type(new Uint8Array(1))
  expect(last().typed).toEqual([262_144, 262_144, 75_712])
})

it('asks for the size of its place once when a terminal is opened', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 80, rows: 24 })
  viewer.type(new Uint8Array(1))
  expect(resizes).toEqual([{ cols: 100, rows: 30 }])
})

it('does not re-wrap a wide program for a narrow place until something is typed there', () => {
  place = { cols: 45, rows: 40 }
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 120, rows: 40 })
  viewer.placeChanged()
  vi.runAllTimers()
  expect(resizes).toEqual([])
  viewer.type(new Uint8Array(1))
  expect(resizes).toEqual([place])
})

it('sends only the last size of a drag, and none while the page is hidden or cannot be measured', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  for (const cols of [101, 102, 103]) {
    place = { cols, rows: 30 }
    viewer.placeChanged()
  }
  vi.runAllTimers()
  visible = false
  place = { cols: 110, rows: 30 }
  viewer.placeChanged()
  vi.runAllTimers()
  visible = true
  place = null
  viewer.placeChanged()
  vi.runAllTimers()
  expect(resizes).toEqual([{ cols: 103, rows: 30 }])
})

it('leaves the size to another client that has taken the lead, until something is typed here', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  last().handlers.onResized({ cols: 60, rows: 20 })
  viewer.placeChanged()
  vi.runAllTimers()
  expect(resizes).toEqual([])
  viewer.type(new Uint8Array(1))
  expect(resizes).toEqual([{ cols: 100, rows: 30 }])
})

it('does not ask for a size again when the link comes back with a new snapshot', () => {
  viewer.show(view('a', 'r1'))
  snapshot({ cols: 100, rows: 30 })
  snapshot({ cols: 60, rows: 20 })
  expect(resizes).toEqual([])
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
