/**
 * History: the output of a run that its screen no longer holds, read from the log of its holder or on disk (`source.ts`) and replayed
 * from anchors (`anchors.ts`) to numbered lines (`oldLines.ts`). It knows runs and files, no terminals and no screens in memory. Start
 * here: the log on disk. Each segment is believed up to its first fault; records that are damaged, of another run or out of order are
 * left out and named, never guessed.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { CUT_OFF, decodeRecord, type LogRecord, peekRecord, positionAfter, RECORD_HEADER, segmentSeq } from '../../wire/log.ts'
import type { ExitStatus } from '../../workspace/terminal/terminal.ts'

export type RunLog = {
  /** In order of seq. Where a `start` or a `skip` does not go on at the end of the record before it, the bytes between are gone. */
  readonly records: readonly LogRecord[]
  readonly exit: ExitStatus | null
  /** Sentences about what is lost; empty when every byte was readable. */
  readonly faults: readonly string[]
  /** How the newest segment breaks off: what a holder leaves that was killed while it wrote. */
  readonly torn: string | null
}

export type RunLogFiles = { readonly directory: string; readonly run: string }

/** A segment is half of what the settings allow at most. */
const LARGEST_SEGMENT_BYTES = 1 << 30
/** The writer's own limit, with its header: a longer rest is not one record that was being written. */
const TORN_AT_MOST_BYTES = (64 << 10) + RECORD_HEADER

/** `position` is how many bytes of the run are accounted for at the end of `records`; null where there is not even a beginning. */
type Segment = {
  readonly name: string
  readonly records: readonly LogRecord[]
  readonly position: number | null
  readonly fault: string | null
  readonly isTorn: boolean
}

export function readRunLog(place: RunLogFiles): RunLog {
  const faults: string[] = []
  const segments = segmentNames(place.directory, faults).map((name) => readSegment(place, name))
  const newest = segments.at(-1)
  const records: LogRecord[] = []
  let position: number | null = null
  for (const segment of segments) {
    if (segment.fault !== null && !(segment === newest && segment.isTorn)) faults.push(`${segment.name}: ${segment.fault}`)
    const [start] = segment.records
    if (start === undefined) continue
    if (position !== null && start.seq < position) {
      faults.push(`${segment.name}: it begins before the one before it ends`)
      continue
    }
    const goesOnAt = firstByteKnown(segment.records)
    if (position !== null && goesOnAt > position) faults.push(missingBytes({ from: position, to: goesOnAt }))
    for (const record of segment.records) records.push(record)
    position = segment.position
  }
  const exit = records.findLast((record) => record.kind === 'exit')
  const torn = newest?.isTorn === true ? `${newest.name}: ${newest.fault}` : null
  return { records, exit: exit?.status ?? null, faults, torn }
}

export const missingBytes = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  `the output from byte ${from} to ${to} is missing`

/**
 * Whether the log ends with that seq, and with nothing behind it but the exit: then a snapshot at it is the last picture.
 * Only the end is believed by its checksums; what is before it is passed over by the records' lengths.
 */
export function endsAt({ directory, run }: RunLogFiles, seq: number): boolean {
  const name = segmentNames(directory, []).at(-1)
  if (name === undefined || (segmentSeq(name) ?? 0) > seq) return false
  try {
    const bytes = readRegularFile(`${directory}/${name}`)
    const start = decodeRecord(bytes, 0, crc32)
    if (typeof start === 'string' || start.record.kind !== 'start' || start.record.run !== run) return false
    let at = start.next
    let position = start.record.seq
    for (let next = peekRecord(bytes, at); next !== null && next.seq + next.outputBytes < seq; next = peekRecord(bytes, at)) {
      position = next.seq + next.outputBytes
      at = next.next
    }
    for (; at < bytes.length; ) {
      const found = decodeRecord(bytes, at, crc32)
      if (typeof found === 'string' || found.record.kind === 'resize' || found.record.kind === 'skip') return false
      position = positionAfter(found.record, position) ?? Number.POSITIVE_INFINITY
      at = found.next
    }
    return position === seq
  } catch {
    return false
  }
}

/** How many bytes of the run the log accounts for. */
export function endOf(records: readonly LogRecord[]): number {
  const last = records.at(-1)
  return last === undefined ? 0 : last.seq + (last.kind === 'output' ? last.bytes.length : 0)
}

/** How and when the run ended, if its log says so. The exit is the last record, so the newest segment is enough. */
export function readRunEnd(place: RunLogFiles): { readonly status: ExitStatus; readonly at: number } | null {
  for (const name of segmentNames(place.directory, []).reverse()) {
    const { records } = readSegment(place, name)
    if (records.length > 0) return records.findLast((record) => record.kind === 'exit') ?? null
  }
  return null
}

/** A flood's skip may be the first thing in a segment: then nothing is missing that was ever to be kept. */
function firstByteKnown([start, next]: readonly LogRecord[]): number {
  return next?.kind === 'skip' ? Math.min(next.from, next.seq) : (start?.seq ?? 0)
}

function readSegment({ directory, run }: RunLogFiles, name: string): Segment {
  const records: LogRecord[] = []
  let position: number | null = null
  const until = (fault: string | null, isTorn: boolean): Segment => ({ name, records, position, fault, isTorn })
  try {
    const bytes = readRegularFile(`${directory}/${name}`)
    if (bytes.length === 0) return until('it is empty', true)
    for (let at = 0; at < bytes.length; ) {
      const found = decodeRecord(bytes, at, crc32)
      const fault = typeof found === 'string' ? found : orderFault(found.record, { position, run, name })
      if (fault !== null) return until(`${fault} at byte ${at}`, typeof found === 'string' && isTornTail(bytes.subarray(at), fault))
      if (typeof found === 'string') break
      position = positionAfter(found.record, position)
      records.push(found.record)
      at = found.next
    }
    return until(null, false)
  } catch (error) {
    return until((error as Error).message, false)
  }
}

function orderFault(record: LogRecord, { position, run, name }: { position: number | null; run: string; name: string }): string | null {
  if (positionAfter(record, position) === null) return 'a record is out of order'
  if (record.kind !== 'start') return null
  if (record.run !== run) return `it belongs to another run (${record.run})`
  return record.seq === segmentSeq(name) ? null : `it begins at ${record.seq} and not where its name says`
}

/** A write that was cut off leaves the beginning of a record; a power cut may leave zeros for what never reached the disk. */
function isTornTail(rest: Uint8Array, fault: string): boolean {
  return rest.every((byte) => byte === 0) || (fault === CUT_OFF && rest.length < TORN_AT_MOST_BYTES)
}

/** Anything else that stands in its place (a pipe, a device, a link to one) could keep the reader for ever. */
function readRegularFile(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size > LARGEST_SEGMENT_BYTES) throw new Error('it is impossibly long')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

function segmentNames(directory: string, faults: string[]): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => segmentSeq(name) !== null)
      .sort()
  } catch (error) {
    faults.push((error as Error).message)
    return []
  }
}

/** The same records, with contiguous output joined to pieces of up to `limit` bytes: a log of keystrokes has very many. */
export function* inPieces(records: readonly LogRecord[], limit: number): Generator<LogRecord> {
  let seq = 0
  let length = 0
  let pieces: Uint8Array[] = []
  for (const record of records) {
    const goesOn = record.kind === 'output' && record.seq === seq + length && length + record.bytes.length <= limit
    if (pieces.length > 0 && !goesOn) {
      yield { kind: 'output', seq, bytes: Buffer.concat(pieces) }
      pieces = []
      length = 0
    }
    if (record.kind !== 'output') {
      yield record
      continue
    }
    if (pieces.length === 0) seq = record.seq
    pieces.push(record.bytes)
    length += record.bytes.length
  }
  if (pieces.length > 0) yield { kind: 'output', seq, bytes: Buffer.concat(pieces) }
}
