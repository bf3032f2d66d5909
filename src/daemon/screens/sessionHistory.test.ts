import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runId } from '../../../test/support/terminals.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen } from '../../screen/screen.ts'
import { encodeRecord, type LogRecord, segmentName } from '../../wire/log.ts'
import { replay } from '../history/replay.ts'
import type { SessionOrder } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'
import { UNHEARD } from './sessionEvents.ts'

const SIZE = { cols: 40, rows: 10 }

let directory = ''
const sessions: ScreenSession[] = []
beforeEach(() => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 25)) // never too soon for another anchor
  directory = mkdtempSync(join(tmpdir(), 'r-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const session of sessions.splice(0)) {
    session.close()
    await session.history.trail.close()
  }
  rmSync(directory, { recursive: true, force: true })
})

type Piece = string | { readonly skip: number } | { readonly cols: number; readonly rows: number }

/** A segment that begins at `seq`; returns the seq after it. */
function writeSegment(seq: number, pieces: readonly Piece[], size = SIZE): number {
  const records: LogRecord[] = [{ kind: 'start', seq, run: runId(1), size, at: 0 }]
  let at = seq
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      const bytes = utf8Encode(piece)
      records.push({ kind: 'output', seq: at, bytes })
      at += bytes.length
    } else if ('skip' in piece) {
      records.push({ kind: 'skip', from: at, seq: at + piece.skip, size })
      at += piece.skip
    } else records.push({ kind: 'resize', seq: at, size: piece, at: 0 })
  }
  writeFileSync(join(directory, segmentName(seq)), Buffer.concat(records.map((record) => encodeRecord(record, crc32))))
  return at
}

async function open(more: Partial<SessionOrder> = {}): Promise<ScreenSession> {
  const order = {
    run: runId(1),
    source: { kind: 'disk', directory } as const,
    directory,
    anchorEvery: 2_000,
    size: SIZE,
    scrollback: 100,
    snapshot: null,
  }
  const session = new ScreenSession({ ...order, ...more }, UNHEARD)
  sessions.push(session)
  await session.start()
  return session
}

/** Long enough to wrap, and to make a few anchors: output is parsed in pieces of 64 KiB. */
const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} ${'.'.repeat(90)}`)
const text = (from: number, to: number): string =>
  names(from, to)
    .map((line) => `${line}\r\n`)
    .join('')
/** In pieces, as a holder logs them. */
const pieces = (from: number, to: number): string[] =>
  Array.from({ length: Math.ceil((to - from) / 50) }, (_, index) => text(from + index * 50, Math.min(to, from + index * 50 + 50)))
const page = (session: ScreenSession, before: number | null, count: number) => session.history.page({ before, count, format: 'text' })
const anchors = (): string[] => readdirSync(directory).filter((name) => name.endsWith('.anchor'))

describe('the lines of a run', () => {
  it('are read from its log where they have left the memory', async () => {
    writeSegment(0, [...pieces(0, 700), { cols: 7, rows: 30 }, ...pieces(700, 1_500), { cols: 90, rows: 12 }, ...pieces(1_500, 2_000)])
    const session = await open()
    expect(await page(session, 900, 300)).toEqual({ first: 0, end: 2_000, from: 600, lines: names(600, 900) })
    expect(await page(session, 5, 300)).toEqual({ first: 0, end: 2_000, from: 0, lines: names(0, 5) })
    expect(await page(session, null, 300)).toEqual({ first: 0, end: 2_000, from: 1_700, lines: names(1_700, 2_000) })
    const { content } = await session.history.read({ history: 'all', format: 'text' })
    expect(content.split('\n')).toEqual(names(0, 2_000))
  })

  it('have the same numbers whether or not the screen began with an anchor, and a written one is read again', async () => {
    writeSegment(0, pieces(0, 2_000))
    const first = await open()
    await first.history.trail.close()
    expect(anchors().length).toBeGreaterThan(1)
    const kept = await first.snapshot({ ended: false })
    const again = await open({ snapshot: kept })
    expect(again.history.trail.anchors.length).toBe(anchors().length)
    expect(await page(again, 1_000, 10)).toEqual({ first: 0, end: 2_000, from: 990, lines: names(990, 1_000) })
  })

  it('begin with the first anchor that the log reaches, where its beginning is gone', async () => {
    const middle = writeSegment(0, pieces(0, 1_000))
    writeSegment(middle, pieces(1_000, 2_000))
    const first = await open()
    await first.history.trail.close()
    const kept = await first.snapshot({ ended: false })
    rmSync(join(directory, segmentName(0)))
    const again = await open({ snapshot: kept })
    const { first: oldest, lines } = await page(again, null, 10_000)
    expect(oldest).toBeGreaterThan(900)
    expect(oldest).toBeLessThan(1_900)
    expect(lines).toEqual(names(oldest, 2_000))
  })

  it('are counted back from the screen where there is no anchor and the beginning is gone', async () => {
    const middle = writeSegment(0, [...pieces(0, 1_000), text(1_000, 1_001).slice(0, 7)])
    writeSegment(middle, [text(1_000, 1_001).slice(7), ...pieces(1_001, 2_000)])
    const first = await open({ anchorEvery: 1e9 })
    const kept = await first.snapshot({ ended: false })
    rmSync(join(directory, segmentName(0)))
    const again = await open({ snapshot: kept, anchorEvery: 1e9 })
    expect(await page(again, null, 10_000)).toEqual({ first: 1_001, end: 2_000, from: 1_001, lines: names(1_001, 2_000) })
    expect((await page(again, 1_010, 5)).lines).toEqual(names(1_005, 1_010))
  })

  it('are what the snapshot holds where there is no log at all', async () => {
    writeSegment(0, pieces(0, 2_000))
    const kept = await (await open()).snapshot({ ended: false })
    for (const name of readdirSync(directory)) rmSync(join(directory, name))
    const again = await open({ snapshot: kept })
    const { first, lines } = await page(again, null, 10_000)
    expect(lines).toEqual(names(first, 2_000))
    expect(lines.length).toBeGreaterThan(30)
  })

  it('keep their numbers behind bytes that the log has lost', async () => {
    const all = pieces(0, 2_000)
    writeSegment(0, all)
    const first = await open()
    await first.history.trail.close()
    const kept = await first.snapshot({ ended: false })
    const lost = all[10] ?? '' // lines 500 to 549
    writeSegment(0, [...all.slice(0, 10), { skip: utf8Encode(lost).length }, ...all.slice(11)])
    const again = await open({ snapshot: kept })
    const { lines } = await page(again, 1_200, 1_200)
    expect(lines.slice(0, 495)).toEqual(names(0, 495))
    expect(lines.slice(900)).toEqual(names(900, 1_200))
    expect(lines.length).toBe(1_200)
    const { content } = await again.history.read({ history: 'all', format: 'json' })
    // What is in memory comes by rows, three to a line; below the last line is the one with the cursor.
    const { lines: rows } = JSON.parse(content) as { lines: { number: number; wrapped: boolean }[] }
    const numbers = rows.filter(({ wrapped }) => !wrapped).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 2_001 }, (_, index) => index + 1))
  })

  it.each(['', '\r', 'line 15'])('say that some are missing where nobody knows how many: the log ends with %j too early', async (rest) => {
    const middle = writeSegment(0, pieces(0, 1_000))
    writeSegment(middle, pieces(1_000, 2_000))
    const kept = await (await open({ anchorEvery: 1e9 })).snapshot({ ended: false })
    rmSync(join(directory, segmentName(0)))
    const end = writeSegment(middle, [...pieces(1_000, 1_500), rest])
    const again = await open({ snapshot: kept, anchorEvery: 1e9 })
    const { content, faults } = await again.history.read({ history: 'all', format: 'text' })
    const shown = content.split('\n').filter((line) => line !== '')
    const known = new Set([...names(1_000, 1_500), ...names(1_900, 2_000)])
    expect(shown.filter((line) => !known.has(line))).toEqual([])
    expect(shown.slice(0, 490)).toEqual(names(1_001, 1_491)) // its first may be the rest of a line
    expect(shown.at(-1)).toBe(names(1_999, 2_000)[0])
    expect(faults).toEqual([`the output from byte ${end} to ${kept?.seq} is missing`])
  })

  it('come from an anchor where what was kept is older than the log', async () => {
    writeSegment(0, pieces(0, 300))
    const kept = await (await open()).snapshot({ ended: false })
    const middle = writeSegment(0, pieces(0, 1_000))
    writeSegment(middle, pieces(1_000, 2_000))
    await (await open({ snapshot: kept })).history.trail.close()
    rmSync(join(directory, segmentName(0)))
    const again = await open({ snapshot: kept })
    const { first, end, lines } = await page(again, null, 10_000)
    expect([end, lines]).toEqual([2_000, names(first, 2_000)])
  })
})

it('reads lines as they were drawn at the size of their time', async () => {
  const draws = (mark: string): string => `\x1b[8;1H${mark} eight\x1b[25;1H${mark} twenty-five\r\n`
  const all: Piece[] = []
  for (let turn = 0; turn < 30; turn++)
    all.push(...pieces(turn * 20, turn * 20 + 20), draws(`turn ${turn}`), { cols: 20 + turn * 3, rows: turn % 2 === 0 ? 30 : 9 })
  writeSegment(0, all)
  const whole = createScreen({ ...SIZE, scrollback: 50_000 })
  for (const piece of all) {
    if (typeof piece === 'string') await whole.feed(utf8Encode(piece))
    else if ('cols' in piece) await whole.resize(piece)
  }
  const { first, end } = whole.lines
  const session = await open({ anchorEvery: 5_000 })
  expect(await page(session, null, 10_000)).toEqual({ first, end, ...whole.numbered({ from: first, to: end, format: 'text' }) })
})

it('leaves other screens their turn after every piece of a long log', async () => {
  writeSegment(0, [text(0, 5_000), text(5_000, 10_000)])
  let turns = 0
  let isReading = true
  const count = (): void => {
    turns += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const turnsBetween: number[] = []
  await replay({
    run: runId(1),
    source: { kind: 'disk', directory },
    start: { kind: 'bare', seq: 0, line: 0 },
    begun: () => undefined,
    isEnough: () => {
      turnsBetween.push(turns)
      turns = 0
      return false
    },
    goesOn: () => Promise.resolve(true),
    ended: () => undefined,
  })
  isReading = false
  expect(turnsBetween.length).toBeGreaterThan(20) // a megabyte, in pieces of 32 KiB
  expect(Math.min(...turnsBetween.slice(1))).toBeGreaterThan(0)
})
