/**
 * A run's log on disk: segment files of records. Each record stands for itself: kind, length, seq and a checksum over
 * all of it, so that a torn or damaged tail is recognised and cut off, never replayed.
 */
import { assertNever } from '../base/assertNever.ts'
import { utf8Decode, utf8Encode } from '../base/utf8.ts'
import type { ExitStatus, Size } from '../workspace/terminal/terminal.ts'
import { decodeSeq, encodeSeq } from './frames.ts'

const LOG_VERSION = 1

export type LogRecord =
  /** First in every segment: what a reader without earlier segments must know. */
  | { readonly kind: 'start'; readonly seq: number; readonly run: string; readonly size: Size; readonly at: number }
  | { readonly kind: 'output'; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly seq: number; readonly size: Size; readonly at: number }
  | { readonly kind: 'exit'; readonly seq: number; readonly status: ExitStatus; readonly at: number }
  /** Bytes that were produced but never written (a flood, a full disk); the next record continues at `seq`. */
  | { readonly kind: 'skip'; readonly seq: number; readonly from: number; readonly size: Size }

/** Computes CRC-32 of `bytes`, continuing from `seed`; passed in because the pure layers have no zlib. */
export type Crc32 = (bytes: Uint8Array, seed?: number) => number

const MAGIC = 0xa7
const KINDS = ['start', 'output', 'resize', 'exit', 'skip'] as const
/** magic 1, kind 1, payload length 4, seq 8, checksum 4 */
export const RECORD_HEADER = 18
const RECORD_LIMIT = 16 << 20

const padded = (n: number): string => String(n).padStart(15, '0')
/** Named after the seq of its first record, so that the directory listing is the index. */
export const segmentName = (seq: number): string => `${padded(seq)}.log`
export const segmentSeq = (name: string): number | null => (/^\d{15}\.log$/.test(name) ? Number(name.slice(0, 15)) : null)

/** `into` is memory to reuse where the record fits, for frequent writers. */
export function encodeRecord(record: LogRecord, crc32: Crc32, into?: Uint8Array): Uint8Array {
  const payload = record.kind === 'output' ? record.bytes : utf8Encode(JSON.stringify(detailsOf(record)))
  const length = RECORD_HEADER + payload.length
  const bytes = into !== undefined && into.length >= length ? into.subarray(0, length) : new Uint8Array(length)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  bytes[0] = MAGIC
  bytes[1] = KINDS.indexOf(record.kind)
  view.setUint32(2, payload.length, true)
  bytes.set(encodeSeq(record.seq), 6)
  view.setUint32(14, crc32(payload, crc32(bytes.subarray(0, 14))), true)
  bytes.set(payload, RECORD_HEADER)
  return bytes
}

function detailsOf(record: Exclude<LogRecord, { kind: 'output' }>): unknown {
  const { kind: _kind, seq: _seq, ...details } = record
  return record.kind === 'start' ? { ...details, version: LOG_VERSION } : details
}

/** What a segment holds up to its first fault. `end` is the length of the good part; `fault` is null when all of it is good. */
export type SegmentContents = { readonly records: readonly LogRecord[]; readonly end: number; readonly fault: string | null }

export function decodeSegment(bytes: Uint8Array, crc32: Crc32): SegmentContents {
  const records: LogRecord[] = []
  let at = 0
  while (at < bytes.length) {
    const found = decodeRecord(bytes, at, crc32)
    if (typeof found === 'string') return { records, end: at, fault: found }
    records.push(found.record)
    at = found.next
  }
  return { records, end: at, fault: null }
}

export const CUT_OFF = 'a record is cut off'

/** The record at `at`, or what is wrong with it. */
export function decodeRecord(bytes: Uint8Array, at: number, crc32: Crc32): { readonly record: LogRecord; readonly next: number } | string {
  if (bytes.length - at < RECORD_HEADER) return CUT_OFF
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, RECORD_HEADER)
  if (bytes[at] !== MAGIC) return 'not a record'
  const length = view.getUint32(2, true)
  const next = at + RECORD_HEADER + length
  if (length > RECORD_LIMIT) return 'a record is impossibly long'
  if (next > bytes.length) return CUT_OFF
  const payload = bytes.subarray(at + RECORD_HEADER, next)
  if (view.getUint32(14, true) !== crc32(payload, crc32(bytes.subarray(at, at + 14)))) return 'a checksum is wrong'
  const kind = KINDS[bytes[at + 1] ?? KINDS.length]
  const seq = decodeSeq(bytes, at + 6)
  if (kind === undefined) return 'a record of a later version'
  if (!Number.isSafeInteger(seq)) return 'a record cannot be understood'
  if (kind === 'output') return { record: { kind, seq, bytes: payload }, next }
  const details = detailsIn(payload)
  if (details === null) return 'a record cannot be understood'
  if (kind === 'start' && details['version'] !== LOG_VERSION) return 'a log of a later version'
  const record = recordOf(kind, seq, details)
  return record === null ? 'a record cannot be understood' : { record, next }
}

/** Where a record stands and what it has, without looking at its checksum; null where there is none. */
export function peekRecord(
  bytes: Uint8Array,
  at: number,
): { readonly seq: number; readonly outputBytes: number; readonly next: number } | null {
  if (bytes.length - at < RECORD_HEADER || bytes[at] !== MAGIC) return null
  const length = new DataView(bytes.buffer, bytes.byteOffset + at, RECORD_HEADER).getUint32(2, true)
  const next = at + RECORD_HEADER + length
  if (next > bytes.length) return null
  return { seq: decodeSeq(bytes, at + 6), outputBytes: KINDS[bytes[at + 1] ?? 0] === 'output' ? length : 0, next }
}

/**
 * How many bytes of the run are accounted for after `record`, where `position` were before it (null at the beginning of a
 * segment). Null if the record cannot be there: another program wrote it, or the file has another file's contents.
 */
export function positionAfter(record: LogRecord, position: number | null): number | null {
  if (record.kind === 'start') return position === null ? record.seq : null
  if (position === null) return null
  switch (record.kind) {
    case 'output':
      return record.seq === position ? position + record.bytes.length : null
    case 'resize':
    case 'exit':
      return record.seq === position ? position : null
    case 'skip':
      // A skip that begins a segment is told once more by the segment's own seq.
      return record.from <= record.seq && (record.from === position || record.seq === position) ? record.seq : null
  }
  return assertNever(record)
}

/** The checksum is right, so the record was written like this; but only an object is a valid record. */
function detailsIn(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const details: unknown = JSON.parse(utf8Decode(payload))
    return typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function recordOf(kind: Exclude<LogRecord['kind'], 'output'>, seq: number, details: Record<string, unknown>): LogRecord | null {
  const { at, run, from } = details
  const size = sizeIn(details['size'])
  const status = statusIn(details['status'])
  switch (kind) {
    case 'start':
      return typeof run === 'string' && size !== null && typeof at === 'number' ? { kind, seq, run, size, at } : null
    case 'resize':
      return size !== null && typeof at === 'number' ? { kind, seq, size, at } : null
    case 'exit':
      return status !== null && typeof at === 'number' ? { kind, seq, status, at } : null
    case 'skip':
      return size !== null && isCount(from) ? { kind, seq, from, size } : null
  }
  return assertNever(kind)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function sizeIn(value: unknown): Size | null {
  const { cols, rows } = Object(value) as Record<string, unknown>
  return isCount(cols) && isCount(rows) ? { cols, rows } : null
}

function statusIn(value: unknown): ExitStatus | null {
  const { code, signal } = Object(value) as Record<string, unknown>
  if (typeof signal === 'string') return { signal }
  return Number.isSafeInteger(code) ? { code: Number(code) } : null
}
