/** Histories of which the log has lost pieces, while a daemon kept screens and left anchors in the middle of them. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runId } from '../../../test/support/terminals.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { encodeRecord, type LogRecord, segmentName } from '../../wire/log.ts'
import type { KeptSnapshot } from '../screens/exactSnapshots.ts'
import { ScreenSession } from '../screens/screenSession.ts'
import { UNHEARD } from '../screens/sessionEvents.ts'
import { anchorSeq } from './anchors.ts'

const RUNS = Number(process.env['LOST_LINES_RUNS'] ?? 10) // a long hunt: LOST_LINES_RUNS=300
const SEED = Number(process.env['LOST_LINES_SEED'] ?? Date.now() % 1_000_000_000)
const SIZE = { cols: 40, rows: 10 }
const WHOLE = /^line \d+ \.*\|$/

type Size = { readonly cols: number; readonly rows: number }
/** Output with whole lines, and the size after it. */
type Piece = { readonly seq: number; readonly bytes: Uint8Array; readonly size: Size }
type Lost = { readonly from: number; readonly to: number }
type Line = { readonly text: string; readonly from: number; readonly to: number }

let directory = ''
const sessions: ScreenSession[] = []
beforeEach(() => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 25)) // never too soon for another anchor
  vi.spyOn(console, 'warn').mockImplementation(() => undefined) // the engine wonders about that clock
})
afterEach(() => vi.restoreAllMocks())

async function open(snapshot: KeptSnapshot | null, scrollback: number): Promise<ScreenSession> {
  const order = {
    run: runId(1),
    source: { kind: 'disk', directory } as const,
    directory,
    anchorEvery: 1_500,
    size: SIZE,
    scrollback,
    snapshot,
  }
  const session = new ScreenSession(order, UNHEARD)
  sessions.push(session)
  await session.start()
  return session
}

const allOf = (session: ScreenSession) => session.history.page({ before: null, count: 1e6, format: 'text' })

/** What a holder would have written that could not write what is lost. */
function writeLog(pieces: readonly Piece[], lost: readonly Lost[], oldest = 0): void {
  const size = pieces.findLast((piece) => piece.seq + piece.bytes.length <= oldest)?.size ?? SIZE
  const records: LogRecord[] = [{ kind: 'start', seq: oldest, run: runId(1), size, at: 0 }]
  let at = oldest
  for (const { seq, bytes, size } of pieces) {
    const end = seq + bytes.length
    while (at < end) {
      const gap = lost.find(({ to }) => to > at)
      if (gap !== undefined && gap.from <= at) {
        const sizeThere = pieces.findLast((piece) => piece.seq + piece.bytes.length <= gap.to)?.size ?? SIZE
        records.push({ kind: 'skip', from: at, seq: gap.to, size: sizeThere })
        at = gap.to
      } else {
        const to = Math.min(end, gap?.from ?? end)
        records.push({ kind: 'output', seq: at, bytes: bytes.subarray(at - seq, to - seq) })
        at = to
      }
    }
    if (at === end && end > oldest) records.push({ kind: 'resize', seq: at, size, at: 0 })
  }
  rmSync(join(directory, segmentName(0)), { force: true })
  writeFileSync(join(directory, segmentName(oldest)), Buffer.concat(records.map((record) => encodeRecord(record, crc32))))
}

const anchors = (): string[] => readdirSync(directory).filter((name) => anchorSeq(name) !== null)

type Story = {
  readonly sizes: readonly { readonly lines: number; readonly length: number; readonly size: Size }[]
  readonly gaps: readonly { readonly at: number; readonly length: number }[]
  /** What the log has dropped, as it does with its oldest part. */
  readonly dropped: number
  readonly keptAfter: number
  readonly anchorsLost: readonly boolean[]
  readonly scrollback: number
}

/** Of all that is printed, anywhere. */
const share = fc.integer({ min: 0, max: 1_000 }).map((number) => number / 1_000)

const stories: fc.Arbitrary<Story> = fc.record({
  sizes: fc.array(
    fc.record({
      lines: fc.integer({ min: 1, max: 60 }),
      length: fc.integer({ min: 0, max: 110 }),
      size: fc.constantFrom(SIZE, SIZE, SIZE, { cols: 25, rows: 14 }, { cols: 71, rows: 5 }),
    }),
    { minLength: 4, maxLength: 30 },
  ),
  gaps: fc.array(fc.record({ at: share, length: fc.integer({ min: 1, max: 20_000 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  dropped: fc.oneof(
    fc.constant(0),
    share.map((part) => part / 2),
  ),
  keptAfter: share,
  anchorsLost: fc.oneof(fc.constant(Array<boolean>(30).fill(true)), fc.array(fc.boolean(), { minLength: 30, maxLength: 30 })),
  scrollback: fc.integer({ min: 15, max: 120 }),
})

/** The pieces that are printed, and their lines with the numbers a living screen gives them. */
function printed({ sizes }: Story): { readonly pieces: Piece[]; readonly lines: Line[]; readonly end: number } {
  const pieces: Piece[] = []
  const lines: Line[] = []
  let seq = 0
  for (const { lines: count, length, size } of sizes) {
    const from = seq
    let text = ''
    for (let index = 0; index < count; index++) {
      const line = `line ${lines.length} ${'.'.repeat(length)}|`
      lines.push({ text: line, from: seq, to: seq + line.length + 2 })
      seq += line.length + 2
      text += `${line}\r\n`
    }
    pieces.push({ seq: from, bytes: utf8Encode(text), size })
  }
  return { pieces, lines, end: seq }
}

/** In order, apart from each other, and none at the very end. */
function lostIn({ gaps }: Story, end: number): Lost[] {
  const lost: Lost[] = []
  for (const { at, length } of [...gaps].sort((a, b) => a.at - b.at)) {
    const from = Math.max(Math.floor(at * end), (lost.at(-1)?.to ?? 0) + 1)
    const to = Math.min(from + length, end - 1)
    if (to > from) lost.push({ from, to })
  }
  return lost
}

/** Of what comes right behind a gap nobody can say whether it is the rest of something. */
const isLeft = (line: Line, lost: readonly Lost[]): boolean => lost.every(({ from, to }) => line.to <= from || line.from > to)

/** The index of the piece between gaps that a seq lies in; null within a gap. */
function stretchOf(seq: number, lost: readonly Lost[]): number | null {
  if (lost.some(({ from, to }) => seq > from && seq < to)) return null
  return lost.filter(({ to }) => to <= seq).length
}

async function expectIn(story: Story): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'r-'))
  try {
    await expectHistory(story)
  } finally {
    for (const session of sessions.splice(0)) {
      session.close()
      await session.history.trail.close()
    }
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('lines behind lost ones', () => {
  const TWICE = {
    sizes: Array.from({ length: 8 }, () => ({ lines: 50, length: 40, size: SIZE })),
    gaps: [0.2, 0.52].map((at) => ({ at, length: 4_000 })),
    dropped: 0,
    anchorsLost: Array<boolean>(30).fill(true),
    scrollback: 20,
  }
  it.each([
    ['before', 0],
    ['within', 0.3],
    ['between', 0.5],
    ['behind', 0.9],
  ])('keep their numbers where only a screen was kept, %s what is lost', (_, keptAfter) => expectIn({ ...TWICE, keptAfter }))

  it('have the numbers that a screen remembers which was kept within what is lost next', () =>
    expectIn({ ...TWICE, keptAfter: 0.6, scrollback: 200 }))

  it('are not left out because the last of them breaks off after a letter, with which a remembered one begins too', () =>
    expectIn({
      sizes: [
        { lines: 56, length: 4, size: { cols: 25, rows: 14 } },
        { lines: 60, length: 108, size: { cols: 25, rows: 14 } },
        { lines: 2, length: 109, size: { cols: 71, rows: 5 } },
        { lines: 59, length: 69, size: SIZE },
      ],
      gaps: [{ at: 0.128, length: 1_206 }],
      dropped: 0.045,
      keptAfter: 0.409,
      anchorsLost: Array<boolean>(30).fill(true),
      scrollback: 72,
    }))

  it(
    `keep their numbers, and nothing is repeated or left out but what was lost (LOST_LINES_SEED=${SEED})`,
    async () => {
      const bounds = { numRuns: RUNS, seed: SEED, endOnFailure: true } // making a story smaller takes minutes
      await fc.assert(fc.asyncProperty(stories, expectIn), bounds)
    },
    RUNS * 10_000,
  )
})

async function expectHistory(story: Story): Promise<void> {
  const { pieces, lines, end } = printed(story)
  const oldest = Math.floor(story.dropped * end)
  const gaps = lostIn(story, end).filter(({ from }) => from > oldest)
  const lost = oldest === 0 ? gaps : [{ from: 0, to: oldest }, ...gaps]
  const { scrollback } = story

  // A daemon sees all of it, keeps a screen somewhere in the middle, and leaves anchors until it dies.
  writeLog(pieces.slice(0, 1 + Math.floor(story.keptAfter * (pieces.length - 1))), [])
  const early = await open(null, scrollback)
  const kept = await early.snapshot({ ended: false })
  await early.history.trail.close()
  writeLog(pieces, [])
  const living = await open(kept, scrollback)
  await living.history.trail.close()
  expect((await allOf(living)).lines).toEqual(lines.map(({ text }) => text))
  for (const [index, name] of anchors().entries()) if (story.anchorsLost[index % 30]) rmSync(join(directory, name))

  // On disk there was no room for some of it.
  writeLog(pieces, gaps, oldest)
  const points = [kept?.seq ?? 0, ...anchors().map((name) => anchorSeq(name) ?? 0)]
  const begun = Math.max(...points)
  const again = await open(kept, scrollback)
  const { first, from, lines: shown } = await allOf(again)
  expect(from).toBe(first)
  if (oldest === 0) expect(first).toBe(0)

  const left = lines.filter((line) => isLeft(line, lost)).map(({ text }) => text)
  const isLeftOf = (number: number): boolean => lines[number] !== undefined && isLeft(lines[number], lost)
  const whole = shown.map((line) => line.trimStart()).filter((line) => WHOLE.test(line))
  const numberIn = (text: string) => Number(text.split(' ')[1])
  const inOrder = whole.map(numberIn)
  expect(inOrder).toEqual([...new Set(inOrder)].sort((a, b) => a - b))
  expect(whole.filter((text) => isLeftOf(numberIn(text)))).toEqual(left)

  // Wherever somebody knew a line, all lines without a gap between have the numbers of the living screen.
  const known = new Set([0, ...points].map((seq) => stretchOf(seq, lost)))
  for (const [number, line] of lines.entries())
    if (isLeft(line, lost) && line.to <= begun && known.has(stretchOf(line.from, lost)))
      expect([number, shown[number - from]?.trimStart()]).toEqual([number, line.text])

  // What came since the screen began, and has left its memory, has the numbers that it had there.
  const wide = await open(kept, 1e5)
  const all = await allOf(wide)
  const remembered = Math.max(wide.history.trail.begun.cursor, from, all.from)
  expect(shown.slice(remembered - from)).toEqual(all.lines.slice(remembered - all.from))

  // Any page, and another cold boot, say the same.
  for (const part of [0.2, 0.5, 0.8]) {
    const before = from + Math.floor(shown.length * part)
    const page = await again.history.page({ before, count: 25, format: 'text' })
    expect(page.lines).toEqual(shown.slice(page.from - from, before - from))
  }
  const keptAgain = await again.snapshot({ ended: false })
  await again.history.trail.close()
  expect((await allOf(await open(keptAgain ?? kept, scrollback))).lines).toEqual(shown)
}
