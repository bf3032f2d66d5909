import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asleep, runId } from '../../../test/support/terminals.ts'
import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import { createScreen } from '../../screen/screen.ts'
import { encodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { encodeRecord, type LogRecord, segmentName } from '../../wire/log.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import type { Log } from '../base/log.ts'
import { writeRunBefore } from '../history/runBefore.ts'
import { Earlier } from './earlier.ts'
import { earlierLines } from './earlierLines.ts'
import type { EarlierOrder, PaintReply, SessionOrder } from './screenMessages.ts'

const SIZE = { cols: 40, rows: 5 }
const OLD = runId(1)
const RUN = runId(2)
const MARK = '── asleep for less than a minute, woken Tue 17 Nov 09:00 ──'

let runs = ''
let paths: Paths
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'r-'))
  paths = { runs } as Paths
  mkdirSync(runDirectory(paths, OLD))
  mkdirSync(runDirectory(paths, RUN))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

function writeLog(text: string): void {
  const records: LogRecord[] = [
    { kind: 'start', seq: 0, run: OLD, size: SIZE, at: 0 },
    { kind: 'output', seq: 0, bytes: utf8Encode(text) },
  ]
  writeFileSync(join(runDirectory(paths, OLD), segmentName(0)), Buffer.concat(records.map((record) => encodeRecord(record, crc32))))
}

const order = (more: Partial<SessionOrder> = {}): SessionOrder => {
  const directory = runDirectory(paths, OLD)
  const source = { kind: 'disk', directory } as const
  return { run: OLD, source, directory, anchorEvery: 1e9, size: SIZE, scrollback: 100, snapshot: null, ...more }
}
const asked = (more: Partial<EarlierOrder> = {}): EarlierOrder => ({
  order: order(),
  mark: MARK,
  isPictureKept: false,
  before: 0,
  count: 1_000,
  format: 'text',
  ...more,
})
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `old ${index + 1}`)
const printed = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('')

describe('the lines of the run before', () => {
  it('end with its last screen and the line between, and have numbers below 0', async () => {
    writeLog(printed(numbered(300)))
    const all = await earlierLines(asked())
    expect(all).toEqual({ oldest: -301, from: -301, lines: [...numbered(300), MARK], faults: [] })
  })

  it('can be read page by page, without one lost or doubled', async () => {
    writeLog(printed(numbered(300)))
    const found: string[] = []
    for (let before = 0; before > -301; ) {
      const { from, lines } = await earlierLines(asked({ before, count: 7 }))
      expect(from).toBe(before - lines.length)
      found.unshift(...lines)
      before = from
    }
    expect(found).toEqual([...numbered(300), MARK])
    expect((await earlierLines(asked({ before: -301, count: 7 }))).lines).toEqual([])
  })

  it('are told in every format with the numbers that people count by', async () => {
    writeLog('\x1b[31mred\x1b[0m <b>\r\n')
    const of = async (format: EarlierOrder['format']) => (await earlierLines(asked({ format }))).lines
    expect(await of('ansi')).toEqual(['\x1b[0;31mred\x1b[0m <b>', `\x1b[0;2m${MARK}\x1b[0m`])
    expect((await of('json')).map((line) => JSON.parse(line) as { number: number; text: string })).toMatchObject([
      { number: -1, text: 'red <b>' },
      { number: 0, text: MARK },
    ])
    expect((await of('html')).join('\n')).toMatch(/red<\/span> &#60;b&#62;\n<span style="opacity:.6">──/)
  })

  it('end with what was shown by a program that used the whole screen, which leaves nothing behind', async () => {
    writeLog('shell\r\n\x1b[?1049h\x1b[?25l\x1b[2;4r\x1b[Htop\r\n\x1b[1mbottom')
    expect((await earlierLines(asked())).lines).toEqual(['shell', 'top', 'bottom', MARK])
    expect((await earlierLines(asked({ format: 'ansi' }))).lines.slice(1, 3)).toEqual(['top', '\x1b[0;1mbottom\x1b[0m'])
    expect((await earlierLines(asked({ before: -1, count: 2 }))).lines).toEqual(['top', 'bottom'])
  })

  it('end with what such a program showed before it was asked to end, where that was kept', async () => {
    const began = 'shell\r\n\x1b[?1049h\x1b[Htop'
    writeLog(`${began}\x1b[?1049lbye\r\n`)
    const screen = createScreen(SIZE)
    await screen.feed(utf8Encode(began))
    const snapshot = { seq: began.length, bytes: encodeSnapshot(screen.snapshot()) }
    screen.dispose()
    expect((await earlierLines(asked({ order: order({ snapshot }), isPictureKept: true }))).lines).toEqual(['shell', 'bye', 'top', MARK])
    expect((await earlierLines(asked({ order: order({ snapshot }) }))).lines).toEqual(['shell', 'bye', MARK])
  })

  it('are the line between alone where it printed nothing', async () => {
    writeLog('')
    expect(await earlierLines(asked())).toMatchObject({ oldest: -1, from: -1, lines: [MARK] })
  })
})

describe('whoever asks for more than a run has', () => {
  const before = { run: OLD, end: { kind: 'slept' }, since: 0, woken: 0, isResume: false } as const
  const warnings: unknown[] = []
  let readFails = false
  const own = { first: 0, end: 2, from: 0, lines: ['new 1', 'new 2'] }
  const paint: PaintReply = { seq: 9, size: SIZE, lines: { first: 0, from: 0 }, bytes: utf8Encode('new'), rest: 3 }
  const read = { content: 'new 1\nnew 2', lines: { first: 0, from: 0 }, faults: [], rest: Number.POSITIVE_INFINITY }

  const above = (more: { page?: Partial<typeof own>; paint?: Partial<PaintReply>; read?: Partial<typeof read> } = {}): Earlier =>
    new Earlier({
      paths,
      screens: {
        paint: () => Promise.resolve({ ...paint, ...more.paint }),
        page: () => Promise.resolve({ ...own, ...more.page }),
        read: () => Promise.resolve({ ...read, ...more.read }),
        earlier: (wanted) => (readFails ? Promise.reject(new Error('the disk')) : earlierLines({ ...wanted, mark: MARK })),
      },
      log: { warn: (fault: unknown) => warnings.push(fault) } as unknown as Log,
      holders: { card: () => null },
      sessionOrder: () => Promise.resolve(order()),
    })
  const of = { terminal: asleep(), run: RUN }
  beforeEach(() => {
    warnings.splice(0)
    writeLog(printed(numbered(10)))
    writeRunBefore(runDirectory(paths, RUN), before)
  })

  it('gets what is above painted once, and is told how far back it goes', async () => {
    const painted = await above().paint(of, { history: 1_000 })
    expect(painted.lines).toEqual({ first: 0, from: -3, oldest: -11 })
    expect(utf8Decode(painted.bytes)).toBe(`old 9\r\nold 10\r\n\x1b[0;2m${MARK}\x1b[0m\r\nnew`)
    expect(await above({ paint: { rest: 0 } }).paint(of, { history: 0 })).toMatchObject({ lines: { first: 0, from: 0, oldest: -1 } })
  })

  it('reads both, and whoever does not is told nothing of it', async () => {
    const all = await above().read(of, { history: 'all', format: 'text' })
    expect(all).toEqual({
      content: [...numbered(10), MARK, 'new 1', 'new 2'].join('\n'),
      lines: { first: 0, from: -11, oldest: -11 },
      faults: [],
    })
    expect((await above({ read: { rest: 0 } }).read(of, { history: 1, format: 'text' })).content).toBe('new 1\nnew 2')
  })

  it('gets pages of one run each, also where the run has lost lines of its own', async () => {
    const page = { before: null, count: 4, format: 'text' } as const
    expect(await above().page(of, page)).toEqual({ ...own, oldest: -1 })
    const gone = above({ page: { first: 120, from: 120, end: 130, lines: [] } })
    expect(await gone.page(of, { ...page, before: 120 })).toEqual({
      first: 120,
      end: 130,
      from: -4,
      oldest: -11,
      lines: ['old 8', 'old 9', 'old 10', MARK],
    })
    expect(await gone.page(of, { ...page, before: -9 })).toMatchObject({ from: -11, lines: ['old 1', 'old 2'] })
  })

  it('gets the run alone where nothing was before, or is no longer there, or cannot be read, or must not be', async () => {
    const alone = own
    const page = { before: null, count: 4, format: 'text' } as const
    expect(await above().page({ terminal: asleep({ private: true }), run: RUN }, page)).toEqual(alone)
    expect(await above().page({ terminal: asleep(), run: runId(3) }, page)).toEqual(alone)
    const empty = above({ page: { end: 0, lines: [] } })
    readFails = true
    expect(await empty.page(of, page)).toEqual({ ...alone, end: 0, lines: [] })
    expect(warnings).toHaveLength(1)
    readFails = false
    rmSync(runDirectory(paths, OLD), { recursive: true })
    expect(await above().page(of, page)).toEqual(alone)
    writeFileSync(join(runDirectory(paths, RUN), 'before.json'), '{"run":')
    expect(await above().page(of, page)).toEqual(alone)
  })
})
