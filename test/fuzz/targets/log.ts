/** A run's log on disk: damaged bytes, and records with right checksums that nobody of ours would write. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { endOf, endsAt, inPieces, readRunEnd, readRunLog } from '../../../src/daemon/history/runLog.ts'
import { logBefore } from '../../../src/holder/history.ts'
import { decodeSegment, encodeRecord, type LogRecord, peekRecord, segmentName } from '../../../src/wire/log.ts'
import { changedJson, damagedBytes, jsonTextOf, nastyJson, randomBytes } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const RUN = 'r0123456789'
const KEYS = ['run', 'size', 'cols', 'rows', 'at', 'version', 'status', 'code', 'signal', 'from']
const seq = fc.oneof({ weight: 3, arbitrary: fc.nat(60) }, fc.constantFrom(0, 2 ** 32, 2 ** 53 - 1, 2 ** 53))
const size = fc.record({ cols: fc.nat(300), rows: fc.nat(100) })
const at = fc.nat()

const record: fc.Arbitrary<LogRecord> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), seq, run: fc.constantFrom(RUN, 'other'), size, at }),
  fc.record({ kind: fc.constant('output' as const), seq, bytes: randomBytes }),
  fc.record({ kind: fc.constant('resize' as const), seq, size, at }),
  fc.record({ kind: fc.constant('exit' as const), seq, status: fc.record({ code: fc.nat(255) }), at }),
  fc.record({ kind: fc.constant('skip' as const), seq, from: seq, size }),
)

/** With the right checksum, whatever it says. */
function forged(kind: number, position: number, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(18 + payload.length)
  bytes[0] = 0xa7
  bytes[1] = kind
  bytes.writeUInt32LE(payload.length, 2)
  bytes.writeBigUInt64LE(BigInt(position), 6)
  bytes.set(payload, 18)
  bytes.writeUInt32LE(crc32(payload, crc32(bytes.subarray(0, 14))), 14)
  return bytes
}

const details = fc.oneof(
  changedJson(fc.record({ run: fc.constant(RUN), size, at, version: fc.constant(1), status: fc.record({ code: fc.nat(3) }), from: seq })),
  nastyJson(KEYS),
)
const anyRecord = fc.oneof(
  { weight: 3, arbitrary: record.map((given) => encodeRecord(given, crc32)) },
  fc.tuple(fc.nat(6), seq, jsonTextOf(details)).map(([kind, position, text]) => forged(kind, position, Buffer.from(text))),
)
const segment = fc.array(anyRecord, { maxLength: 8 }).map((records) => Buffer.concat(records))
/** A log that goes on as it should, from its start. */
const soundSegment = fc
  .tuple(fc.nat(60), fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 }))
  .map(([from, pieces]) => {
    const records: LogRecord[] = [{ kind: 'start', seq: from, run: RUN, size: { cols: 80, rows: 24 }, at: 1 }]
    let position = from
    for (const bytes of pieces) {
      records.push({ kind: 'output', seq: position, bytes })
      position += bytes.length
    }
    return { seq: from, bytes: Buffer.concat(records.map((one) => encodeRecord(one, crc32))) }
  })
const file = fc.oneof(
  soundSegment,
  fc.record({ seq, bytes: fc.oneof(segment, damagedBytes(segment), damagedBytes(soundSegment.map(({ bytes }) => bytes)), randomBytes) }),
)

export const log = fuzzTarget({
  name: 'log',
  what: 'The readers of a run’s log: the daemon’s, and the next holder’s.',
  cases: 300,
  input: fc.record({ files: fc.array(file, { maxLength: 3 }), record, ask: seq }),
  open: () => {
    const directory = mkdtempSync(join(tmpdir(), 'fuzz-log-'))
    const place = { directory, run: RUN }
    return {
      judge: ({ files, record: one, ask }) => {
        for (const name of readdirSync(directory)) rmSync(join(directory, name))
        for (const { seq: from, bytes } of files) if (from < 1e15) writeFileSync(join(directory, segmentName(from)), bytes)
        const { records } = readRunLog(place)
        let position = 0
        for (const { kind, seq: there } of records) {
          demand(kind === 'skip' || there >= position, `a record goes back from ${position} to ${there}`)
          position = there
        }
        demand(Buffer.concat(outputs(inPieces(records, 50))).equals(Buffer.concat(outputs(records))), 'in pieces it is another output')
        demand(Number.isSafeInteger(endOf(records)), 'the log ends nowhere')
        endsAt(place, ask)
        readRunEnd(place)
        for (const { bytes } of files) walk(bytes)
        const before = logBefore(directory, 1 << 20)
        demand(before.seq >= 0 && before.segments.every((found) => found.seq < before.seq), 'the log before goes on before it begins')
        const back = decodeSegment(encodeRecord(one, crc32), crc32)
        if (Number.isSafeInteger(one.seq) && !(one.kind === 'skip' && !Number.isSafeInteger(one.from)))
          demand(isDeepStrictEqual(plain(back.records[0]), plain(one)), 'a record comes back as another one')
      },
      close: async () => rmSync(directory, { recursive: true }),
    }
  },
})

/** By the lengths alone, without checksums. */
function walk(bytes: Uint8Array): void {
  let steps = 0
  for (let next = peekRecord(bytes, 0); next !== null; next = peekRecord(bytes, next.next)) {
    steps += 1
    demand(steps <= bytes.length, 'it walks in a circle')
  }
}

const outputs = (records: Iterable<LogRecord>): Uint8Array[] => [...records].flatMap((one) => (one.kind === 'output' ? [one.bytes] : []))
const plain = (one: LogRecord | undefined): unknown =>
  JSON.parse(JSON.stringify(one?.kind === 'output' ? { ...one, bytes: [...one.bytes] } : one))
