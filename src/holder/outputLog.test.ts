import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import type { RunId } from '../base/ids.ts'
import { decodeSegment, type LogRecord, segmentSeq } from '../wire/log.ts'
import { History } from './history.ts'
import { Subscriber } from './subscriber.ts'

let directory: string
let opened: History[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'log-'))
  opened = []
})
afterEach(async () => {
  for (const history of opened) await history.log.close()
  rmSync(directory, { recursive: true, force: true })
})

function history(segmentBytes: number, runDirectory = directory): History & { changes: () => number } {
  let changes = 0
  const order = { runDirectory, run: 'r0123456789' as RunId, segmentBytes, size: { cols: 80, rows: 24 } }
  const made = new History({ order, changed: () => changes++, exitKept: () => undefined })
  opened.push(made)
  return Object.assign(made, { changes: () => changes })
}

/** A byte stream in which every position is recognisable; it repeats after PERIOD bytes. */
const PERIOD = 1 << 16
const PATTERN = Buffer.from(Array.from({ length: 8 * PERIOD }, (_, i) => (i * 31 + (i >> 8)) & 255))
const stream = (from: number, length: number): Buffer => PATTERN.subarray(from % PERIOD, (from % PERIOD) + length)

const segmentsIn = (place = directory): string[] =>
  readdirSync(place)
    .filter((name) => segmentSeq(name) !== null)
    .sort()
const bytesOnDisk = (): number => segmentsIn().reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

function recordsOnDisk(): LogRecord[] {
  return segmentsIn().flatMap((name) => {
    const { records, fault } = decodeSegment(readFileSync(join(directory, name)), crc32)
    expect(fault).toBeNull()
    return records
  })
}

/** Every output record holds what was produced at its seq. */
function expectTrueBytes(records: readonly LogRecord[]): void {
  for (const record of records)
    if (record.kind === 'output') expect(stream(record.seq, record.bytes.length).equals(record.bytes)).toBe(true)
}

describe('a segment that somebody has taken away', () => {
  const newest = (): string => join(directory, segmentsIn().at(-1) ?? '')
  const displacements: readonly [string, () => void][] = [
    ['deleted', () => rmSync(newest())],
    ['replaced by a link to nothing', () => replace((path) => symlinkSync('/nowhere', path))],
    ['replaced by a directory', () => replace((path) => mkdirSync(path))],
    ['replaced by another file', () => replace((path) => writeFileSync(path, 'not a log'))],
  ]
  function replace(by: (path: string) => void): void {
    const path = newest()
    rmSync(path)
    by(path)
  }

  it.each(displacements)('%s: is put back whole as soon as somebody asks, and the log goes on in it', async (_, displace) => {
    const run = history(64 << 10)
    run.append(stream(0, 50_000))
    await run.log.keepNow()
    displace()
    run.append(stream(run.head, 1_000))
    await run.log.look()
    run.append(stream(run.head, 1_000))
    await run.log.keepNow()
    const records = recordsOnDisk()
    expectTrueBytes(records)
    expect(records.reduce((sum, record) => sum + (record.kind === 'output' ? record.bytes.length : 0), 0)).toBe(52_000)
    expect(run.log.degraded).toBeNull()
    expect(statSync(newest()).mode & 0o777).toBe(0o600)
  })

  it('is left alone where it is in its place', async () => {
    const run = history(64 << 10)
    await run.log.keepNow()
    const before = statSync(newest()).ino
    await run.log.look()
    expect(statSync(newest()).ino).toBe(before)
  })

  it('together with its directory: the log is in memory until there is one', async () => {
    const run = history(64 << 10)
    run.append(stream(0, 5_000))
    await run.log.keepNow()
    rmSync(directory, { recursive: true })
    await run.log.look()
    expect(run.log.degraded).not.toBeNull()
    mkdirSync(directory)
    await run.log.keepNow()
    expect(run.log.degraded).toBeNull()
    expectTrueBytes(recordsOnDisk())
  })
})

describe('the log', () => {
  it('begins with a start record, private to the user, even if nothing is printed', async () => {
    await history(64 << 10).log.keepNow()
    expect(recordsOnDisk()).toMatchObject([{ kind: 'start', seq: 0, run: 'r0123456789', size: { cols: 80, rows: 24 } }])
    expect(statSync(join(directory, segmentsIn()[0]!)).mode & 0o777).toBe(0o600)
  })

  it('is written within a moment after output, and not at all while there is none', async () => {
    const run = history(64 << 10)
    run.append(stream(0, 100))
    await until(() => recordsOnDisk().length === 2, { what: 'the output on disk', timeoutMs: 1_000 })
    const before = statSync(join(directory, segmentsIn()[0]!)).mtimeMs
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(statSync(join(directory, segmentsIn()[0]!)).mtimeMs).toBe(before)
  })

  it('keeps two segments, each beginning with the size in force', async () => {
    const run = history(16 << 10)
    for (let step = 0; step < 20; step++) {
      run.append(stream(run.head, 5_000))
      run.resize({ cols: 100 + step, rows: 30 })
      await run.log.keepNow()
    }
    expect(segmentsIn()).toHaveLength(2)
    expect(bytesOnDisk()).toBeLessThanOrEqual(2 * (16 << 10))
    const records = recordsOnDisk()
    const start = records[0]!
    expect(start.kind === 'start' && start.size).toEqual(run.marks.sizeAt(start.seq))
    expectTrueBytes(records)
    expect(run.oldest).toBeLessThanOrEqual(start.seq)
  })

  it('gives back what was printed, from any seq it holds', async () => {
    const run = history(1 << 20)
    for (let step = 0; step < 60; step++) {
      run.append(stream(run.head, 37_123 + step))
      if (step % 7 === 0) await run.log.keepNow()
    }
    await run.log.keepNow()
    expect(run.tail.oldest).toBeGreaterThan(run.oldest)
    for (let i = 0; i < 200; i++) {
      const seq = run.oldest + Math.floor(((run.tail.oldest - run.oldest) * i) / 200)
      const found = await run.log.read(seq)
      if (!('bytes' in found)) throw new Error(`nothing at ${seq}`)
      expect(found.bytes.length).toBeGreaterThan(0)
      expect(stream(seq, found.bytes.length).equals(found.bytes)).toBe(true)
    }
  })

  it('skips what a flood would overwrite anyway, and says so', async () => {
    const run = history(32 << 10)
    await run.log.keepNow()
    for (let step = 0; step < 100; step++) run.append(stream(run.head, 60_000))
    await run.log.keepNow()
    expect(bytesOnDisk()).toBeLessThanOrEqual(2 * (32 << 10) + 200)
    const records = recordsOnDisk()
    expectTrueBytes(records)
    const last = records.at(-1)!
    expect(last.kind === 'output' && last.seq + last.bytes.length).toBe(run.head)
  })

  it('writes at most its own size per second, however much is printed', async () => {
    const run = history(128 << 10)
    const begun = new Set<string>()
    const deadline = performance.now() + 1_500
    let produced = 0
    while (performance.now() < deadline) {
      run.append(stream(run.head, 60_000))
      produced += 60_000
      for (const name of segmentsIn()) begun.add(name)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(produced).toBeGreaterThan(8 << 20)
    // Each flush of a whole log fills two segments and begins at most one more.
    expect(begun.size).toBeLessThanOrEqual(10)
  })

  it('stays in memory while the disk refuses, says why, and recovers with a skip for what was lost', async () => {
    const place = join(directory, 'gone')
    const run = history(64 << 10, place)
    run.append(stream(0, 1_000))
    await run.log.keepNow()
    expect(run.log.degraded).toContain('ENOENT')
    expect(run.changes()).toBe(1)
    for (let step = 0; step < 100; step++) run.append(stream(run.head, 60_000))
    expect(run.head - run.tail.oldest).toBeLessThan(5 << 20)
    mkdirSync(place)
    chmodSync(place, 0o700)
    await run.log.keepNow()
    expect(run.log.degraded).toBeNull()
    expect(run.changes()).toBe(2)
    const records = segmentsIn(place).flatMap((name) => decodeSegment(readFileSync(join(place, name)), crc32).records)
    expectTrueBytes(records)
    const last = records.at(-1)!
    expect(last.kind === 'output' && last.seq + last.bytes.length).toBe(run.head)
  })

  it('retries by itself after a failure', async () => {
    const place = join(directory, 'later')
    const run = history(64 << 10, place)
    run.append(stream(0, 10))
    await until(() => run.log.degraded !== null, { what: 'the failure' })
    mkdirSync(place)
    await until(() => run.log.degraded === null, { what: 'the recovery' })
  })

  it('goes on behind a damaged place where the next known record begins', async () => {
    const run = history(1 << 20)
    for (let step = 0; step < 40; step++) {
      run.append(stream(run.head, 50_000))
      await run.log.keepNow()
    }
    const name = segmentsIn()[0]!
    const bytes = readFileSync(join(directory, name))
    bytes.fill(0, 300_000, 300_100)
    writeFileSync(join(directory, name), bytes)
    let [seq, missing, gaps] = [run.oldest, 0, 0]
    while (seq < run.tail.oldest) {
      const found = await run.log.read(seq)
      if ('bytes' in found) {
        expect(stream(seq, found.bytes.length).equals(found.bytes)).toBe(true)
        seq += found.bytes.length
      } else {
        expect(found.next).toBeGreaterThan(seq)
        gaps += 1
        missing += (found.next ?? run.tail.oldest) - seq
        seq = found.next ?? run.tail.oldest
      }
    }
    expect(gaps).toBe(1)
    expect(missing).toBeLessThanOrEqual(3 * 50_000)
  })

  it('gives who reads the history what the disk has, and no more: after our death it is the same', async () => {
    const run = history(32 << 10)
    for (let step = 0; step < 30; step++) {
      run.append(stream(run.head, 9_000))
      await run.log.keepNow()
    }
    run.append(stream(run.head, 200_000))
    await run.log.keepNow()
    expect(run.tail.oldest).toBeLessThan(run.kept.from)
    const kept = recordsOnDisk().flatMap((record) => (record.kind === 'output' ? [{ seq: record.seq, bytes: record.bytes }] : []))
    expect(await readHistory(run)).toEqual({ from: recordsOnDisk()[0]?.seq, bytes: joined(kept) })
    run.append(stream(run.head, 10))
    expect((await readHistory(run)).bytes).toEqual(joined([...kept, { seq: run.head - 10, bytes: stream(run.head - 10, 10) }]))
  })
})

type Piece = { readonly seq: number; readonly bytes: Uint8Array }
const joined = (pieces: readonly Piece[]): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('base64')

async function readHistory(run: History): Promise<{ from: number | undefined; bytes: string }> {
  const pieces: Piece[] = []
  let from: number | undefined
  const link = {
    isWritable: () => true,
    send: (message: Parameters<ConstructorParameters<typeof Subscriber>[0]['link']['send']>[0]) => {
      if (message.kind === 'subscribed') from = message.from
      if (message.kind === 'output') pieces.push({ seq: message.seq, bytes: message.bytes.slice() })
    },
  }
  const request = { from: 'oldest', window: 8 << 20, follow: false } as const
  const subscriber = new Subscriber({ history: run, link, request, unacked: 0, answeredTo: 0 })
  subscriber.pump()
  await until(() => subscriber.isDone, { what: 'the whole history' })
  return { from, bytes: joined(pieces) }
}

describe('a clock that jumps', () => {
  const DAY_MS = 86_400_000

  it.each([
    ['back by a day', -DAY_MS],
    ['on by a day', DAY_MS],
  ])('%s changes neither when the log is written, nor how much, nor its order', async (_, jump) => {
    const real = Date.now
    let jumped = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      jumped += jump
      return real() + jumped
    })
    try {
      const run = history(64 << 10)
      run.append(stream(0, 100))
      await until(() => recordsOnDisk().length === 2, { what: 'the output on disk', timeoutMs: 2_000 })
      run.append(stream(run.head, 128 << 10))
      await run.log.keepNow()
      const full = performance.now()
      run.append(stream(run.head, 10))
      run.resize({ cols: 100, rows: 30 })
      // What was just written fills the log, and so lasts for a second.
      await until(() => recordsOnDisk().at(-1)?.kind === 'resize', { what: 'the next flush', timeoutMs: 5_000 })
      expect(performance.now() - full).toBeGreaterThan(500)
      await run.log.keepNow()
      const records = recordsOnDisk()
      expectTrueBytes(records)
      const seqs = records.map(({ seq }) => seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      expect(records.at(-1)?.seq).toBe(run.head)
    } finally {
      clock.mockRestore()
    }
  })
})
