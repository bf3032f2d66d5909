import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { screenWith } from '../../../test/support/screen/feed.ts'
import { GOLDEN_OUTPUT } from '../../../test/support/screen/golden.ts'
import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import type { Internals } from '../engine/internals.ts'
import { createScreen, wholeOf } from '../screen.ts'
import { differingParts } from './compare.ts'
import { historyRows, type Snapshot, snapshotAnsi } from './snapshot.ts'
import { decodeSnapshot, decodeSnapshotScreen, encodeSnapshot } from './snapshotBytes.ts'
import { MAX_SNAPSHOT_BYTES } from './takeSnapshot.ts'

const OUTPUT = `${Array.from({ length: 40 }, (_, index) => `line ${index} 日本 …`).join('\r\n')}\x1b[31m\x1b]2;a title\x07`

it('comes back from its bytes as it was', async () => {
  const snapshot = (await screenWith(OUTPUT)).snapshot()
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toEqual(snapshot)
})

it('is ignored when it is cut short anywhere, or damaged anywhere', async () => {
  const bytes = encodeSnapshot((await screenWith(OUTPUT)).snapshot())
  for (let length = 0; length < bytes.length; length++) expect(decodeSnapshot(bytes.subarray(0, length))).toBeNull()
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ flip
      expect(decodeSnapshot(damaged)).toBeNull()
    }),
  )
  expect(decodeSnapshot(new Uint8Array(0))).toBeNull()
  expect(decodeSnapshot(utf8Encode('something else entirely, but long enough to look at'))).toBeNull()
})

it('is ignored when its version is not known', async () => {
  const snapshot = { ...(await screenWith(OUTPUT)).snapshot(), version: 3 as unknown as 2 }
  expect(decodeSnapshot(encodeSnapshot(snapshot))).toBeNull()
})

it('leaves history out where it is not wanted', async () => {
  const screen = await screenWith(OUTPUT)
  const [all, visible] = [snapshotAnsi(screen.snapshot()), snapshotAnsi(screen.snapshot(), { history: false })]
  expect(all).toContain('line 3 ')
  expect(visible).not.toContain('line 3 ')
  const copy = await screenWith(visible)
  expect(copy.text()).toBe(screen.text())
  expect(copy.cursor).toEqual(screen.cursor)
})

it('bounds its history', async () => {
  const screen = await screenWith(OUTPUT)
  const snapshot = screen.snapshot({ history: 3 })
  expect(historyRows(snapshot)).toBe(3)
  expect(screen.snapshot({ history: 0 }).history).toEqual([])
})

it('is taken at the last safe cut, without the bytes of what is unfinished', async () => {
  for (const torn of ['\x1b', '\x1b[', '\x1b[31', '\x1b]2;tit', '\x1bP+q', '\u00c3'.slice(0, 0)]) {
    const screen = await screenWith(`abc${torn}`)
    expect(screen.snapshot().seq).toBe(3)
    expect(screen.seq).toBe(3 + torn.length)
    expect(screen.atSafeCut).toBe(torn === '')
  }
  const screen = await screenWith(Uint8Array.of(97, 0xe2, 0x80))
  expect([screen.seq, screen.snapshot().seq, screen.atSafeCut]).toEqual([1, 1, false])
})

it('does not repeat a control character that took effect inside an unfinished sequence', async () => {
  const screen = await screenWith('abc\x1b[3\n')
  const snapshot = screen.snapshot()
  expect(snapshot).toMatchObject({ seq: 7, pending: '\x1b[3' })
  const copy = await screenWith('')
  await copy.restore(snapshot)
  expect(copy.snapshot()).toEqual(snapshot)
  await copy.feed(utf8Encode('1mx'))
  await screen.feed(utf8Encode('1mx'))
  expect(copy.json()).toEqual(screen.json())
  expect(copy.seq).toBe(screen.seq)
})

it('is made and checked once per moment and depth, however many ask', async () => {
  const screen = await screenWith(OUTPUT)
  const first = screen.snapshot()
  for (let caller = 0; caller < 60; caller++) {
    expect(screen.snapshot()).toBe(first)
    expect(screen.checkedSnapshot()).toMatchObject({ differs: [] })
  }
  expect(screen.snapshotCounts).toEqual({ taken: 1, inexact: 0 })
  for (let caller = 0; caller < 60; caller++) screen.snapshot({ history: 0 })
  expect(screen.snapshotCounts).toEqual({ taken: 2, inexact: 0 })
  await screen.feed(utf8Encode('x'))
  expect(screen.snapshot()).not.toBe(first)
  expect(screen.snapshotCounts).toEqual({ taken: 3, inexact: 0 })
})

const longHistory = (lines: number, line: (index: number) => string) =>
  Array.from({ length: lines }, (_, index) => line(index)).join('\r\n')

describe('its bytes', () => {
  it('begin with the screen, which can be drawn before the rest is there', async () => {
    const screen = createScreen({ cols: 80, rows: 24, scrollback: 1_000 })
    await screen.feed(utf8Encode(longHistory(1_000, (index) => `line ${index}`)))
    const snapshot = screen.snapshot()
    expect(snapshot.history.map(({ rows }) => rows)).toEqual([250, 250, 250, 226])
    const bytes = encodeSnapshot(snapshot)
    const drawn = decodeSnapshotScreen(bytes.subarray(0, 4_000))
    expect(drawn).toEqual({ ...snapshot, history: [] })
    expect(decodeSnapshotScreen(bytes.subarray(0, 1_000))).toBeNull()
    const copy = createScreen({ cols: 80, rows: 24 })
    await copy.restore(drawn!)
    expect(copy.text({ history: 'all' })).toBe(screen.text())
    expect(copy.cursor).toEqual(screen.cursor)
  })

  it('hold the newest history first', async () => {
    const screen = createScreen({ cols: 80, rows: 24, scrollback: 1_000 })
    await screen.feed(utf8Encode(longHistory(1_000, (index) => `line ${index}.`)))
    const text = utf8Decode(encodeSnapshot(screen.snapshot()))
    const places = ['line 990.', 'line 900.', 'line 600.', 'line 300.', 'line 3.'].map((line) => text.indexOf(line))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('are bounded: the oldest history is left away, never the screen', async () => {
    const screen = createScreen({ cols: 400, rows: 50, scrollback: 1_000 })
    const cell = (index: number) => `\x1b[38;2;${index % 256};1;2;48;2;3;${index % 255};4mx`
    await screen.feed(utf8Encode(longHistory(450, (line) => Array.from({ length: 399 }, (_, index) => cell(line + index)).join(''))))
    const { snapshot, differs } = screen.checkedSnapshot()
    expect(differs).toEqual([])
    expect(encodeSnapshot(snapshot).length).toBeLessThan(MAX_SNAPSHOT_BYTES + 100_000)
    expect(historyRows(snapshot)).toBeLessThan(400)
    const copy = createScreen({ cols: 400, rows: 50, scrollback: 1_000 })
    await copy.restore(snapshot)
    expect(copy.text()).toBe(screen.text())
    expect(copy.text({ history: 100 })).toBe(screen.text({ history: 100 }))
  })

  it('of version 2 can be read for ever', async () => {
    const golden = new Uint8Array(readFileSync(new URL('../../../test/fixtures/snapshots/snapshot-v2.bin', import.meta.url)))
    const snapshot = decodeSnapshot(golden)
    expect(snapshot).not.toBeNull()
    const copy = await screenWith('')
    await copy.restore(snapshot!)
    const original = await screenWith(GOLDEN_OUTPUT)
    expect(differingParts(wholeOf(original), wholeOf(copy), { history: 500 })).toEqual([])
    expect(copy.title).toBe(original.title)
    expect(encodeSnapshot(snapshot!)).toEqual(golden)
  })
})

describe('it holds', () => {
  it.each<[string, string, (snapshot: Snapshot) => unknown, unknown]>([
    [
      'changed colours',
      '\x1b]4;1;#010203\x07\x1b]11;#040506\x07',
      (s) => s.program.colors,
      [
        [1, [1, 2, 3]],
        [257, [4, 5, 6]],
      ],
    ],
    [
      'the keyboard stacks of both buffers',
      '\x1b[?1049h\x1b[>9u\x1b[?1049l\x1b[>5u',
      (s) => s.program.keyboard,
      { main: [0, 5], alternate: [0, 9] },
    ],
    [
      'hyperlinks with and without an id',
      '\x1b]8;;http://a.b\x07x\x1b]8;;\x07\r\n\x1b]8;id=i;http://c.d\x07y',
      (s) => s.links.links,
      [
        { number: 1, id: null, uri: 'http://a.b', normal: [0], alternate: [] },
        { number: 2, id: 'i', uri: 'http://c.d', normal: [1], alternate: [] },
      ],
    ],
    ['the titles', '\x1b]2;outer\x07\x1b[22;0t\x1b]2;inner\x07', (s) => [s.title, s.engine.titleStack], ['inner', ['outer']]],
  ])('%s', async (_, output, part, expected) => {
    const screen = await screenWith(output)
    expect(part(screen.snapshot())).toEqual(expected)
    const copy = await screenWith('')
    await copy.restore(screen.snapshot())
    expect(part(copy.snapshot())).toEqual(expected)
  })

  it('columns that a narrower size hides, and cells that no ANSI can draw', async () => {
    const screen = await screenWith('\x1b[?1049h\x1b[H\x1b[1;70Hhidden\x1b[31m e\u0301')
    await screen.resize({ cols: 60, rows: 24 })
    const { snapshot, differs } = screen.checkedSnapshot()
    expect(differs).toEqual([])
    expect(snapshot.patches.alternate).not.toEqual([])
    const copy = createScreen({ cols: 60, rows: 24 })
    await copy.restore(decodeSnapshot(encodeSnapshot(snapshot))!)
    for (const each of [screen, copy]) await each.resize({ cols: 80, rows: 24 })
    expect(copy.text()).toBe(`${' '.repeat(69)}hidden e\u0301`)
    expect(copy.text()).toBe(screen.text())
  })
})

describe('the self-check', () => {
  it.each<[string, (internals: Internals) => object | undefined, string, unknown]>([
    ['a cell', (core) => core._bufferService.buffers.normal.lines.get(0)?._data, '0', 1],
    ['a soft wrap', (core) => core._bufferService.buffers.normal.lines.get(1), 'isWrapped', true],
    ['the cursor', (core) => core._bufferService.buffers.active, 'x', 7],
    ['the pen', (core) => core._inputHandler._curAttrData, 'fg', 0x8000000],
    ['a saved cursor', (core) => core._bufferService.buffers.alt, 'savedX', 1],
    ['a margin', (core) => core._bufferService.buffers.normal, 'scrollTop', 1],
    ['a tab stop', (core) => core._bufferService.buffers.normal.tabs, '3', true],
    ['a mode', (core) => core.coreService.decPrivateModes, 'wraparound', false],
    ['the mouse', (core) => core.coreMouseService, 'activeProtocol', 'DRAG'],
    ['the character set', (core) => core._charsetService, 'glevel', 1],
    ['a title below', (core) => core._inputHandler._windowTitleStack, '0', 'below'],
    ['what joins', (core) => core._inputHandler._parser, 'precedingJoinState', 9],
    ['links', (core) => core._oscLinkService, '_nextId', 9],
  ])('sees a difference in %s', async (_, part, name, value) => {
    const [one, other] = [await screenWith(OUTPUT), await screenWith(OUTPUT)]
    const differ = () => differingParts(wholeOf(one), wholeOf(other), { history: 500 })
    expect(differ()).toEqual([])
    Reflect.set(part(wholeOf(other).engine.internals)!, name, value)
    expect(differ()).toHaveLength(1)
  })

  it('sees a difference in what programs set and the engine ignores', async () => {
    for (const set of ['\x1b[>1u', '\x1b]4;1;#fff\x07', '\x1b[?2027h', '\x1b[>4;2m', '\x1b]7;file:///tmp\x07']) {
      const [one, other] = [await screenWith(OUTPUT), await screenWith(OUTPUT + set)]
      expect(differingParts(wholeOf(one), wholeOf(other), { history: 500 })).toHaveLength(1)
    }
  })

  it('gives up on more odd cells than can be sensible', async () => {
    const screen = createScreen({ cols: 700, rows: 100 })
    await screen.feed(utf8Encode('\x1b[?1049h\x1b#8'))
    await screen.resize({ cols: 100, rows: 100 })
    expect(screen.checkedSnapshot().differs).toEqual(['more cells than can be patched'])
    expect(screen.snapshotCounts).toEqual({ taken: 1, inexact: 1 })
    expect(screen.snapshot().patches).toEqual({ normal: [], alternate: [] })
  })
})
