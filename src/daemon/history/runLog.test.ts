/** What is read back from a run's directory, whatever has happened to the files in it. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../base/ids.ts'
import { History } from '../../holder/history.ts'
import { decodeRecord, encodeRecord, type LogRecord, RECORD_HEADER, segmentName } from '../../wire/log.ts'
import { endOf, endsAt, inPieces, type RunLog, readRunEnd, readRunLog } from './runLog.ts'

const run = 'r0123456789' as RunId
const size = { cols: 80, rows: 24 }
const SEGMENT_BYTES = 16 << 10

let root: string
/** A log as a real holder writes it: two segments, resizes, a skip, an exit. */
let good: string
/** The damaged copy of a test. */
let directory: string
let older: string
let newer: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'runlog-'))
  good = join(root, 'good')
  mkdirSync(good)
  const order = { runDirectory: good, run, segmentBytes: SEGMENT_BYTES, size }
  const history = new History({ order, changed: () => undefined, exitKept: () => undefined })
  for (let step = 0; step < 40; step++) {
    history.append(Buffer.from(`line ${step} `.repeat(60)))
    if (step % 5 === 0) history.resize({ cols: 80 + step, rows: 24 })
    await history.log.keepNow()
  }
  await history.log.close()
  const names = segmentsIn(good)
  expect(names).toHaveLength(2)
  const seq = history.head + 5_000
  const rest: LogRecord[] = [
    { kind: 'skip', from: history.head, seq, size },
    { kind: 'output', seq, bytes: Buffer.from('after the flood') },
    { kind: 'exit', seq: seq + 15, status: { code: 3 }, at: 1 },
  ]
  for (const record of rest) appendFileSync(join(good, names[1] ?? ''), encodeRecord(record, crc32))
  const kinds = names.flatMap((name) => placed(name).map(({ record }) => record.kind))
  expect(new Set(kinds)).toEqual(new Set(['start', 'output', 'resize', 'skip', 'exit']))
  older = names[0] ?? ''
  newer = names[1] ?? ''
})
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  directory = join(root, 'damaged')
  cpSync(good, directory, { recursive: true })
})
afterEach(() => rmSync(directory, { recursive: true }))

const segmentsIn = (place: string): string[] =>
  readdirSync(place)
    .filter((name) => name.endsWith('.log'))
    .sort()
const read = (): RunLog => readRunLog({ directory, run })

type Placed = { readonly record: LogRecord; readonly end: number }

function placedIn(bytes: Uint8Array): Placed[] {
  const all: Placed[] = []
  for (let at = 0; at < bytes.length; ) {
    const found = decodeRecord(bytes, at, crc32)
    if (typeof found === 'string') throw new Error(found)
    at = found.next
    all.push({ record: found.record, end: at })
  }
  return all
}
const known = new Map<string, Placed[]>()
function placed(name: string): Placed[] {
  const found = known.get(name) ?? placedIn(readFileSync(join(good, name)))
  known.set(name, found)
  return found
}
const key = (record: LogRecord): string =>
  JSON.stringify(record.kind === 'output' ? { ...record, bytes: `${record.bytes.length}:${crc32(record.bytes)}` } : record)
const keys = (records: readonly LogRecord[]): string[] => records.map(key)
const recordsOf = (...names: string[]): LogRecord[] => names.flatMap((name) => placed(name).map(({ record }) => record))

function flip(name: string, at: number): void {
  const bytes = readFileSync(join(directory, name))
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(join(directory, name), bytes)
}
const lengthOf = (name: string): number => readFileSync(join(good, name)).length

describe('a log that nothing has happened to', () => {
  it('is read whole, in order, with its end', () => {
    const log = read()
    expect(keys(log.records)).toEqual(keys(recordsOf(older, newer)))
    expect(log).toMatchObject({ exit: { code: 3 }, faults: [], torn: null })
    expect(readRunEnd({ directory, run })?.status).toEqual({ code: 3 })
  })

  it('may consist of very many small records', () => {
    const records: LogRecord[] = [{ kind: 'start', seq: 0, run, size, at: 1 }]
    for (let seq = 0; seq < 200_000; seq++) records.push({ kind: 'output', seq, bytes: Buffer.from('x') })
    rmSync(join(directory, older))
    rmSync(join(directory, newer))
    writeFileSync(join(directory, segmentName(0)), Buffer.concat(records.map((record) => encodeRecord(record, crc32))))
    const log = read()
    expect(log.faults).toEqual([])
    expect(log.records).toHaveLength(200_001)
    expect([...inPieces(log.records, 64 << 10)].map((record) => (record.kind === 'output' ? record.bytes.length : record.kind))).toEqual([
      'start',
      64 << 10,
      64 << 10,
      64 << 10,
      200_000 - 3 * (64 << 10),
    ])
  })
})

describe('the newest record', () => {
  it('torn at any byte costs itself and nothing else, and is no damage', () => {
    const all = placed(newer)
    const [before, last] = [all.at(-2)?.end ?? 0, all.at(-1)?.end ?? 0]
    for (let length = last - 1; length > before; length--) {
      truncateSync(join(directory, newer), length)
      const log = read()
      expect(keys(log.records)).toEqual(keys(recordsOf(older, newer).slice(0, -1)))
      expect(log).toMatchObject({ exit: null, faults: [] })
      expect(log.torn).toContain('a record is cut off')
    }
  })

  it('may be followed by zeros that a power cut left, or by garbage, and is still the last', () => {
    appendFileSync(join(directory, newer), Buffer.alloc(5_000))
    expect(read()).toMatchObject({ exit: { code: 3 }, faults: [] })
    expect(read().torn).toContain('not a record')
    appendFileSync(join(directory, newer), 'garbage')
    expect(read()).toMatchObject({ exit: { code: 3 }, torn: null })
    expect(read().faults).toEqual([`${newer}: not a record at byte ${lengthOf(newer)}`])
    expect(readRunEnd({ directory, run })?.status).toEqual({ code: 3 })
  })
})

describe('a segment that', () => {
  it('has a wrong checksum in its middle is read up to it, and the next one from its beginning; what is between is named', () => {
    const all = placed(older)
    const middle = all.findIndex(({ record }, index) => index > all.length / 2 && record.kind === 'output')
    flip(older, (all[middle]?.end ?? 0) - 1)
    const log = read()
    expect(keys(log.records)).toEqual([...keys(recordsOf(older).slice(0, middle)), ...keys(recordsOf(newer))])
    expect(log.exit).toEqual({ code: 3 })
    const from = all[middle]?.record.seq
    expect(log.faults).toEqual([
      `${older}: a checksum is wrong at byte ${all[middle - 1]?.end}`,
      `the output from byte ${from} to ${recordsOf(newer)[0]?.seq} is missing`,
    ])
  })

  it.each(['older', 'newer'])('is missing (the %s one) costs only what was in it', (which) => {
    rmSync(join(directory, which === 'older' ? older : newer))
    expect(keys(read().records)).toEqual(keys(recordsOf(which === 'older' ? newer : older)))
    expect(read().faults).toEqual([])
  })

  it('is empty is nothing when it is the newest, and named when another follows', () => {
    truncateSync(join(directory, newer), 0)
    expect(read()).toMatchObject({ faults: [], torn: `${newer}: it is empty`, exit: null })
    expect(keys(read().records)).toEqual(keys(recordsOf(older)))
    cpSync(join(good, newer), join(directory, newer))
    truncateSync(join(directory, older), 0)
    expect(read().faults).toEqual([`${older}: it is empty`])
    expect(keys(read().records)).toEqual(keys(recordsOf(newer)))
  })

  it('is of another run is not believed', () => {
    const foreign = encodeRecord({ kind: 'start', seq: recordsOf(newer)[0]?.seq ?? 0, run: 'rzzzzzzzzzz', size, at: 1 }, crc32)
    const output = encodeRecord({ kind: 'output', seq: recordsOf(newer)[0]?.seq ?? 0, bytes: Buffer.from('not ours') }, crc32)
    writeFileSync(join(directory, newer), Buffer.concat([foreign, output]))
    expect(keys(read().records)).toEqual(keys(recordsOf(older)))
    expect(read().faults.join()).toContain('it belongs to another run (rzzzzzzzzzz)')
  })

  it('has the wrong name, or a copy under another one, is not believed', () => {
    const wrong = segmentName((recordsOf(newer)[0]?.seq ?? 0) + 7)
    cpSync(join(good, newer), join(directory, wrong))
    expect(keys(read().records)).toEqual(keys(recordsOf(older, newer)))
    expect(read().faults.join()).toContain('not where its name says')
    renameSync(join(directory, newer), join(directory, 'notes.log'))
    expect(keys(read().records)).toEqual(keys(recordsOf(older)))
  })

  it('overlaps the one before it is left out', () => {
    const seq = (recordsOf(newer)[0]?.seq ?? 0) - 3
    rmSync(join(directory, newer))
    const start = encodeRecord({ kind: 'start', seq, run, size, at: 1 }, crc32)
    const output = encodeRecord({ kind: 'output', seq, bytes: Buffer.from('twice') }, crc32)
    writeFileSync(join(directory, segmentName(seq)), Buffer.concat([start, output]))
    expect(keys(read().records)).toEqual(keys(recordsOf(older)))
    expect(read().faults).toEqual([`${segmentName(seq)}: it begins before the one before it ends`])
  })

  it.each<[string, LogRecord]>([
    ['a record twice', { kind: 'output', seq: 0, bytes: Buffer.from('abc') }],
    ['a record from further on', { kind: 'output', seq: 99, bytes: Buffer.from('abc') }],
    ['a resize elsewhere', { kind: 'resize', seq: 2, size, at: 1 }],
    ['a second beginning', { kind: 'start', seq: 3, run, size, at: 1 }],
    ['a skip that leads back', { kind: 'skip', seq: 1, from: 3, size }],
    ['a skip from elsewhere', { kind: 'skip', seq: 50, from: 40, size }],
  ])('holds %s is read up to there', (_, wrong) => {
    const sound: LogRecord[] = [
      { kind: 'start', seq: 0, run, size, at: 1 },
      { kind: 'output', seq: 0, bytes: Buffer.from('abc') },
    ]
    for (const name of [older, newer]) rmSync(join(directory, name))
    writeFileSync(join(directory, segmentName(0)), Buffer.concat([...sound, wrong].map((record) => encodeRecord(record, crc32))))
    expect(keys(read().records)).toEqual(keys(sound))
    expect(read().faults.join()).toContain('a record is out of order')
  })

  it.each<[string, object]>([
    ['a size that is none', { kind: 'resize', size: null, at: 1 }],
    ['an exit without a status', { kind: 'exit', at: 1 }],
    ['a log version of the future', { kind: 'start', run, size, at: 1, version: 2 }],
    ['a kind of the future', { kind: 'bell' }],
  ])('holds %s, well checksummed, is read up to there', (_, record) => {
    const { kind, ...details } = record as { kind: string }
    const payload = Buffer.from(JSON.stringify(details))
    const bytes = Buffer.alloc(RECORD_HEADER + payload.length)
    bytes[0] = 0xa7
    bytes[1] = ['start', 'output', 'resize', 'exit', 'skip', 'bell'].indexOf(kind)
    bytes.writeUInt32LE(payload.length, 2)
    payload.copy(bytes, RECORD_HEADER)
    bytes.writeUInt32LE(crc32(payload, crc32(bytes.subarray(0, 14))), 14)
    for (const name of [older, newer]) rmSync(join(directory, name))
    const start = encodeRecord({ kind: 'start', seq: 0, run, size, at: 1 }, crc32)
    writeFileSync(join(directory, segmentName(0)), Buffer.concat([start, bytes]))
    expect(keys(read().records)).toEqual([key({ kind: 'start', seq: 0, run, size, at: 1 })])
    expect(read().faults).toHaveLength(1)
  })

  it.each<[string, (path: string) => void]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a link to a device that never ends', (path) => symlinkSync('/dev/zero', path)],
    ['a pipe that nobody writes', (path) => void execFileSync('mkfifo', [path])],
    ['garbage', (path) => writeFileSync(path, 'x'.repeat(100_000))],
  ])('is %s in its place is named, and the others are read', (_, put) => {
    rmSync(join(directory, older))
    put(join(directory, older))
    expect(keys(read().records)).toEqual(keys(recordsOf(newer)))
    expect(read().faults).toHaveLength(1)
    expect(read().faults[0]).toContain(older)
  })
})

it('a run without a directory has no records, and says why', () => {
  expect(readRunLog({ directory: join(root, 'nowhere'), run })).toMatchObject({ records: [], exit: null })
  expect(readRunLog({ directory: join(root, 'nowhere'), run }).faults[0]).toContain('ENOENT')
  expect(readRunEnd({ directory: join(root, 'nowhere'), run })).toBeNull()
})

type Harm = {
  readonly kind: 'truncate' | 'flip' | 'zero' | 'fill' | 'drop' | 'copy' | 'swap'
  readonly which: number
  readonly where: number
}

function apply({ kind, which, where }: Harm): void {
  const name = which % 2 === 0 ? older : newer
  const path = join(directory, name)
  const bytes = segmentsIn(directory).includes(name) ? readFileSync(path) : Buffer.alloc(0)
  const at = bytes.length === 0 ? 0 : where % bytes.length
  if (kind === 'truncate') writeFileSync(path, bytes.subarray(0, at))
  else if (kind === 'flip')
    writeFileSync(
      path,
      bytes.map((byte, index) => (index === at ? byte ^ (1 + (where % 255)) : byte)),
    )
  else if (kind === 'zero') writeFileSync(path, bytes.fill(0, at))
  else if (kind === 'fill') writeFileSync(path, bytes.fill(where % 256, at, Math.min(bytes.length, at + 600)))
  else if (kind === 'drop') rmSync(path, { force: true })
  else if (kind === 'copy') writeFileSync(join(directory, segmentName(where)), bytes)
  else writeFileSync(path, readFileSync(join(good, which % 2 === 0 ? newer : older)))
}

/** How many records of the segment lie wholly before the first byte that differs from what was written. */
function unharmed(name: string): number {
  if (!segmentsIn(directory).includes(name)) return 0
  const [written, found] = [readFileSync(join(good, name)), readFileSync(join(directory, name))]
  let same = 0
  while (same < written.length && written[same] === found[same]) same += 1
  return placed(name).filter(({ end }) => end <= same).length
}

it('whatever happens to a log, only what was written is read, at its seq, and everything before the first damage of a segment', () => {
  const harm = fc.record<Harm>({
    kind: fc.constantFrom('truncate', 'flip', 'zero', 'fill', 'drop', 'copy', 'swap'),
    which: fc.nat(1),
    where: fc.nat(1 << 20),
  })
  const written = new Set(keys(recordsOf(older, newer)))
  fc.assert(
    fc.property(fc.array(harm, { minLength: 1, maxLength: 4 }), (harms) => {
      rmSync(directory, { recursive: true })
      cpSync(good, directory, { recursive: true })
      for (const each of harms) apply(each)
      const log = read()
      const found = keys(log.records)
      expect(found.filter((each) => !written.has(each))).toEqual([])
      expect(new Set(found).size).toBe(found.length)
      const seqs = log.records.map(({ seq }) => seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      for (const name of [older, newer]) {
        const expected = keys(recordsOf(name).slice(0, unharmed(name)))
        expect(expected.filter((each) => !found.includes(each))).toEqual([])
      }
      expect(readRunEnd({ directory, run })?.status ?? null).toEqual(log.exit)
    }),
    { numRuns: 200 },
  )
})

describe('the end of a log', () => {
  const end = (): number => endOf(readRunLog({ directory: good, run }).records)

  it('is where its last output ends, before the exit, and nowhere else', () => {
    expect(endsAt({ directory, run }, end())).toBe(true)
    for (const seq of [0, end() - 15, end() - 1, end() + 1]) expect(endsAt({ directory, run }, seq), String(seq)).toBe(false)
    expect(endsAt({ directory, run: 'r9999999999' }, end())).toBe(false)
  })

  it('is not believed where anything at it is damaged, cut off or gone', () => {
    const bytes = readFileSync(join(directory, newer))
    for (let at = bytes.length - 20; at < bytes.length; at++) {
      writeFileSync(
        join(directory, newer),
        bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      )
      expect(endsAt({ directory, run }, end()), `byte ${at}`).toBe(false)
    }
    writeFileSync(join(directory, newer), bytes.subarray(0, bytes.length - 1))
    expect(endsAt({ directory, run }, end())).toBe(false)
    rmSync(join(directory, newer))
    expect(endsAt({ directory, run }, end())).toBe(false)
    rmSync(join(directory, older))
    expect(endsAt({ directory, run }, end())).toBe(false)
  })
})
