/** Screens that are rebuilt from the log on disk: never from bytes that did not follow each other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../base/ids.ts'
import { createScreen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { encodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { encodeRecord, type LogRecord, segmentName } from '../../wire/log.ts'
import { ScreenSession } from '../screens/screenSession.ts'
import { type SessionEvents, UNHEARD } from '../screens/sessionEvents.ts'
import { restOfSomething } from './replay.ts'

const run = 'r0123456789' as RunId
const size = { cols: 40, rows: 6 }
let directory: string
let damage: string[]
let sessions: ScreenSession[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'replay-'))
  damage = []
  sessions = []
})
afterEach(() => {
  for (const session of sessions) session.close()
  rmSync(directory, { recursive: true })
})

const events: SessionEvents = { ...UNHEARD, damaged: (faults) => damage.push(...faults) }

type Step = string | { readonly resize: { cols: number; rows: number } } | { readonly skip: number }

/** Writes a segment that begins at `seq` with `steps`; returns the seq after it. */
function segment(seq: number, steps: readonly Step[], begin = size): number {
  const records: LogRecord[] = [{ kind: 'start', seq, run, size: begin, at: 1 }]
  let at = seq
  for (const step of steps) {
    if (typeof step === 'string') records.push({ kind: 'output', seq: at, bytes: Buffer.from(step, 'latin1') })
    else if ('resize' in step) records.push({ kind: 'resize', seq: at, size: step.resize, at: 1 })
    else records.push({ kind: 'skip', from: at, seq: at + step.skip, size: begin })
    at += typeof step === 'string' ? step.length : 'skip' in step ? step.skip : 0
  }
  writeFileSync(join(directory, segmentName(seq)), Buffer.concat(records.map((record) => encodeRecord(record, crc32))))
  return at
}

async function replay(snapshot: { seq: number; bytes: Uint8Array } | null = null): Promise<ScreenSession> {
  const session = new ScreenSession(
    { run, directory, anchorEvery: 1 << 20, source: { kind: 'disk', directory }, size, scrollback: 1_000, snapshot },
    events,
  )
  sessions.push(session)
  await session.start()
  return session
}

const shown = async (snapshot: { seq: number; bytes: Uint8Array } | null = null): Promise<string> =>
  (await replay(snapshot)).screen.text({ history: 'all' }).trimEnd()

/** The snapshot of a screen that was fed with all of `steps`; its seq is moved on by `offset`. */
async function snapshotOf(steps: readonly Step[], offset = 0): Promise<{ seq: number; bytes: Uint8Array; snapshot: Snapshot }> {
  const screen = createScreen(size)
  for (const step of steps) {
    if (typeof step === 'string') await screen.feed(Buffer.from(step, 'latin1'))
    else if ('resize' in step) await screen.resize(step.resize)
  }
  const snapshot = screen.snapshot()
  screen.dispose()
  return { seq: snapshot.seq + offset, bytes: encodeSnapshot(snapshot), snapshot }
}

describe('a snapshot and the log', () => {
  it('go on where the snapshot is, also when the log skipped something before it', async () => {
    const before = 'one\r\ntwo\r\n'
    const after = 'three\r\nfour\r\n'
    segment(0, [before, { skip: 1_000 }, after, 'five\r\n'])
    const kept = await snapshotOf([before, after], 1_000)
    expect(await shown(kept)).toBe('one\ntwo\nthree\nfour\nfive')
  })

  it('that breaks off before the snapshot does show the snapshot', async () => {
    segment(0, ['one\r\n'])
    expect(await shown(await snapshotOf(['one\r\ntwo\r\n']))).toBe('one\ntwo')
  })

  it('do not repeat sizes that the snapshot has been through', async () => {
    const picture = '\x1b[?1049h\x1b[1;1Htop\x1b[6;1Hbottom'
    const resizes: Step[] = [{ resize: { cols: 10, rows: 2 } }, { resize: size }]
    const drawn = [picture, ...resizes, '\x1b[H\x1b[Jtop\x1b[6;1Hbottom']
    segment(0, [...drawn, ...resizes])
    const kept = await snapshotOf(drawn)
    const session = await replay(kept)
    expect(session.screen.text().trimEnd()).toBe('top\n\n\n\n\nbottom')
  })

  it('apply a size that came after the snapshot at the same seq', async () => {
    segment(0, ['hello', { resize: { cols: 20, rows: 4 } }])
    expect((await replay(await snapshotOf(['hello']))).screen.size).toEqual({ cols: 20, rows: 4 })
  })
})

describe('bytes that are gone', () => {
  const RED = '\x1b[3'
  const REST = '1mred\r\nnext line\r\n'

  it('never glue two pieces of a sequence together, nor show the rest of one as text', async () => {
    const end = segment(0, ['plain\r\n', `${RED}`])
    segment(end + 500, [REST])
    const session = await replay()
    expect(session.screen.text({ history: 'all' }).trimEnd()).toBe('plain\n\nnext line')
    expect(session.screen.ansi({ history: 'all' })).not.toContain('31m')
    expect(damage).toEqual([`the output from byte ${end} to ${end + 500} is missing`])
  })

  it('are the same whether a skip says so or a segment is missing', async () => {
    const end = segment(0, ['plain\r\n', RED, { skip: 500 }, REST])
    expect(await shown()).toBe('plain\n\nnext line')
    expect(damage).toEqual([])
    expect(end).toBe(7 + 3 + 500 + REST.length)
  })

  it('before the first segment leave no piece of a sequence at the top', async () => {
    segment(9_000, ['8;5;12mfox\r\nsecond line\r\n'])
    expect(await shown()).toBe('\nsecond line')
  })

  it('between a snapshot and the first segment are a gap too', async () => {
    const kept = await snapshotOf(['kept\r\n\x1b[3'])
    segment(5_000, ['1mrest\r\nnew\r\n'])
    expect(await shown(kept)).toBe('kept\n\nnew')
  })

  it('leave no half of a character', async () => {
    const end = segment(0, ['a\xe2\x82'])
    segment(end + 10, ['\xac\xacb\r\nc'])
    expect(await shown()).not.toMatch(/€|b/)
    expect(await shown()).toMatch(/^a.*\n *c$/)
  })

  it('do not change the modes that a program set once', async () => {
    const end = segment(0, ['shell\r\n\x1b[?1049h\x1b[?25l\x1b[?1h\x1b[?1000h\x1b[?2004h'])
    segment(end + 100, ['\x1b[Hframe'])
    const { screen } = await replay()
    expect(screen.text().trimEnd()).toBe('frame')
    expect(screen.cursor.visible).toBe(false)
    const straight = createScreen(size)
    await straight.feed(Buffer.from('shell\r\n\x1b[?1049h\x1b[?25l\x1b[?1h\x1b[?1000h\x1b[?2004h'))
    expect(screen.modes).toEqual(straight.modes)
    straight.dispose()
  })

  it('do not move the seq of the snapshot that is kept afterwards', async () => {
    const end = segment(0, ['plain\r\n', RED])
    const last = segment(end + 500, [REST])
    const kept = await (await replay()).snapshot({ ended: false })
    expect(kept?.seq).toBe(last)
  })
})

it.each<[string, number]>([
  ['31mtext\r\n', 7],
  ['\x1b[31m', 0],
  ['\x82\xacplain', 2],
  ['no control character at all', 0],
  [`${'x'.repeat(5_000)}\n`, 0],
])('what may be the rest of something ends at the next control character: %j', (text, length) => {
  expect(restOfSomething(Buffer.from(text, 'latin1'))).toBe(length)
})
