import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSegment, encodeRecord, type LogRecord, segmentName, segmentSeq } from './log.ts'

const size = { cols: 80, rows: 24 }
const output = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => ({ kind: 'output' as const, bytes }))
const others: fc.Arbitrary<LogRecord> = fc.constantFrom<LogRecord>(
  { kind: 'resize', seq: 5, size, at: 1 },
  { kind: 'exit', seq: 5, status: { signal: 'SIGHUP' }, at: 2 },
  { kind: 'skip', seq: 9, from: 5, size },
  { kind: 'start', seq: 0, run: 'r0123456789', size, at: 3 },
)
const records = fc.array(
  fc.oneof(
    output.map((each): LogRecord => ({ ...each, seq: 42 })),
    others,
  ),
  { minLength: 1, maxLength: 8 },
)

const encode = (all: readonly LogRecord[]): Buffer => Buffer.concat(all.map((record) => encodeRecord(record, crc32)))
/** In comparable form: a checksummed record has no other identity than its contents. */
const plain = (all: readonly LogRecord[]): unknown[] =>
  all.map((record) => {
    if (record.kind === 'output') return { ...record, bytes: Buffer.from(record.bytes).toString('hex') }
    const { version: _version, ...rest } = record as LogRecord & { version?: number }
    return rest
  })

describe('a segment', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(records, (written) => {
        const read = decodeSegment(encode(written), crc32)
        expect(read.fault).toBeNull()
        expect(plain(read.records)).toEqual(plain(written))
      }),
    )
  })

  it('that is cut off anywhere yields the whole records before the cut and nothing else', () => {
    const written: LogRecord[] = [
      { kind: 'start', seq: 0, run: 'r0123456789', size, at: 1 },
      { kind: 'output', seq: 0, bytes: Buffer.from('first') },
      { kind: 'output', seq: 5, bytes: Buffer.from('the last one, which is torn') },
    ]
    const bytes = encode(written)
    const lastAt = encode(written.slice(0, 2)).length
    for (let length = lastAt + 1; length < bytes.length; length++) {
      const read = decodeSegment(bytes.subarray(0, length), crc32)
      expect(plain(read.records)).toEqual(plain(written.slice(0, 2)))
      expect(read).toMatchObject({ end: lastAt, fault: 'a record is cut off' })
    }
  })

  it('never yields a byte that was not written, whatever happened to the file', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (written, where, flip, overwriteRest) => {
        const bytes = encode(written)
        const at = where % bytes.length
        if (overwriteRest) bytes.fill(flip, at)
        else bytes[at] = (bytes[at] ?? 0) ^ flip
        const read = decodeSegment(bytes, crc32)
        expect(plain(read.records)).toEqual(plain(written.slice(0, read.records.length)))
      }),
    )
  })

  it('says that a checksum is wrong', () => {
    const bytes = encode([{ kind: 'output', seq: 0, bytes: Buffer.from('abc') }])
    bytes[bytes.length - 1] = 0
    expect(decodeSegment(bytes, crc32)).toEqual({ records: [], end: 0, fault: 'a checksum is wrong' })
  })

  it('is named so that names sort as seqs do', () => {
    fc.assert(fc.property(fc.nat(), fc.nat(), (a, b) => segmentName(a) < segmentName(b) === a < b && segmentSeq(segmentName(a)) === a))
    expect(segmentSeq('holder.json')).toBeNull()
  })

  it('can be encoded into memory that is used again', () => {
    const memory = new Uint8Array(100).fill(255)
    const record: LogRecord = { kind: 'output', seq: 3, bytes: Buffer.from('xyz') }
    expect(Buffer.from(encodeRecord(record, crc32, memory))).toEqual(Buffer.from(encodeRecord(record, crc32)))
    expect(encodeRecord(record, crc32, memory).buffer).toBe(memory.buffer)
  })
})
