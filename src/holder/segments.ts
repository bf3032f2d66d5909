/**
 * The log's files: two segments of records, named by the seq they begin at. The newest one grows at its end; when it is
 * full a new one is begun and the older of the two is deleted. Nothing here decides what is written, or when.
 */
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { RunId } from '../base/ids.ts'
import type { Size } from '../wire/holder.ts'
import { decodeRecord, encodeRecord, type LogRecord, RECORD_HEADER, segmentName } from '../wire/log.ts'
import { isArmed, noteSynced, trip } from './trip.ts'

const SEGMENTS = 2
/** Distance of index entries in the file; a reader scans this much and the record beyond it. */
const INDEX_EVERY_BYTES = 64 << 10
const LARGEST_RECORD_BYTES = 64 << 10
/** Index distance twice, because an entry is made after it is exceeded, and one whole record; rounded up. */
const READ_BYTES = 4 * INDEX_EVERY_BYTES

type Place = { readonly seq: number; readonly offset: number }
type Segment = { readonly seq: number; readonly path: string; readonly index: Place[]; end: number }

/** Bytes from the asked seq on; or the seq at which the files go on after a hole, null if they do not. */
export type Found = { readonly bytes: Uint8Array } | { readonly next: number | null }

export type SegmentsOptions = {
  readonly directory: string
  readonly run: RunId
  readonly segmentBytes: number
  readonly now: () => number
  /** Of an earlier holder, oldest first: they are not read here, and make room for what comes. */
  readonly former?: readonly { readonly seq: number; readonly path: string; readonly end: number }[]
}

export class Segments {
  private readonly options: SegmentsOptions
  private list: Segment[] = []
  private handle: FileHandle | null = null
  /** One record at a time is encoded here, so that logging a flood makes no garbage. */
  private readonly scratch = Buffer.allocUnsafeSlow(LARGEST_RECORD_BYTES)
  private dirty = false
  /** Whether a power cut could still forget the newest segment's name. */
  private isNameSafe = true
  private isClosed = false
  /** False on a file system that says something else of the same file each time. */
  private knowsItsFiles = true

  constructor(options: SegmentsOptions) {
    this.options = options
    this.list = (options.former ?? []).map((segment) => ({ ...segment, index: [] }))
  }

  /** More than this is overwritten by what follows it. */
  get capacity(): number {
    return SEGMENTS * this.options.segmentBytes
  }

  get recordBytes(): number {
    return Math.min(LARGEST_RECORD_BYTES, this.options.segmentBytes >> 2) - RECORD_HEADER
  }

  get oldest(): number | null {
    return this.list[0]?.seq ?? null
  }

  get isDirty(): boolean {
    return this.dirty || !this.isNameSafe
  }

  /** `size` is the one in force before `record`. */
  async append(record: LogRecord, size: Size): Promise<void> {
    const bytes = encodeRecord(record, crc32, this.scratch)
    const current = this.list.at(-1)
    const isFull = current !== undefined && current.end + bytes.length > this.options.segmentBytes && current.seq !== record.seq
    if (this.handle === null || current === undefined || isFull) await this.begin(record.seq, size)
    await this.write(record.seq, bytes)
  }

  /** Begins the log, so that even a run that prints nothing has one. */
  async ensure(seq: number, size: Size): Promise<void> {
    if (this.handle === null) await this.begin(seq, size)
  }

  /** Cuts off what a failed write may have left behind the last good record. */
  async repair(): Promise<void> {
    const current = this.list.at(-1)
    if (this.handle !== null && current !== undefined) await this.handle.truncate(current.end)
  }

  /** Whether the newest one is where readers look for it. */
  async isInPlace(): Promise<boolean> {
    const current = this.list.at(-1)
    if (this.handle === null || current === undefined || !this.knowsItsFiles) return true
    const [ours, found] = await Promise.allSettled([this.handle.stat(), lstat(current.path)])
    if (ours.status === 'rejected') return true // another one was begun meanwhile
    return found.status === 'fulfilled' && found.value.ino === ours.value.ino && found.value.dev === ours.value.dev
  }

  /** Writes the newest one anew: all of it can still be read from the open file, whatever has become of its name. */
  async putBack(): Promise<void> {
    const [before, current] = [this.handle, this.list.at(-1)]
    if (before === null || current === undefined || (await this.isInPlace())) return
    const bytes = Buffer.allocUnsafe(current.end)
    const { bytesRead } = await before.read(bytes, 0, bytes.length, 0)
    if (bytesRead < bytes.length) throw new Error('its open file is shorter than it was')
    const handle = await writeApart(current.path, bytes)
    this.handle = handle
    this.dirty = false
    this.isNameSafe = false
    await before.close().catch(() => undefined)
    this.knowsItsFiles = await this.isInPlace()
    await this.keepName()
  }

  async sync(): Promise<void> {
    if (this.handle === null) return
    const wasDirty = this.dirty
    this.dirty = false
    try {
      if (wasDirty) await syncData(this.handle, this.list.at(-1))
      await this.keepName()
    } catch (error) {
      this.dirty ||= wasDirty
      throw error
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.handle?.close()
    this.handle = null
  }

  async read(seq: number): Promise<Found> {
    const index = this.list.findLastIndex((segment) => segment.seq <= seq)
    const segment = this.list[index]
    const next = this.list[index + 1]?.seq ?? null
    if (segment === undefined) return { next }
    const place = segment.index.findLast((entry) => entry.seq <= seq)
    const found = collect(await readPart(segment, place?.offset ?? 0), seq)
    if ('bytes' in found || found.next !== null) return found
    // What stands there is damaged: the next place that is known begins a record again.
    return { next: segment.index.find((entry) => entry.seq > seq)?.seq ?? next }
  }

  private async begin(seq: number, size: Size): Promise<void> {
    if (this.isClosed) throw new Error('the log is closed')
    if (this.list.length > 0) trip('holder:before-rotate')
    const { directory, run, now } = this.options
    const segment: Segment = { seq, path: `${directory}/${segmentName(seq)}`, index: [], end: 0 }
    const handle = await open(segment.path, 'w+', 0o600)
    const start = encodeRecord({ kind: 'start', seq, run, size, at: now() }, crc32)
    try {
      await writeAll(handle, start, 0)
    } catch (error) {
      await handle.close().catch(() => undefined)
      await unlink(segment.path).catch(() => undefined)
      throw error
    }
    segment.end = start.length
    const full = { handle: this.handle, segment: this.list.at(-1) }
    this.handle = handle
    this.list.push(segment)
    this.dirty = true
    this.isNameSafe = false
    trip('holder:mid-rotate')
    // The oldest goes only when what comes after it is safe.
    if (full.handle !== null) await finish(full.handle, full.segment)
    await this.dropOldest()
    await this.keepName()
  }

  /** Tried again with every sync until the disk has taken it. */
  private async keepName(): Promise<void> {
    if (this.isNameSafe) return
    await syncDirectory(this.options.directory)
    this.isNameSafe = true
  }

  private async dropOldest(): Promise<void> {
    while (this.list.length > SEGMENTS) {
      const oldest = this.list.shift()
      if (oldest !== undefined) await unlink(oldest.path).catch(() => undefined)
    }
  }

  private async write(seq: number, bytes: Uint8Array): Promise<void> {
    const segment = this.list.at(-1)
    if (this.handle === null || segment === undefined) throw new Error('no segment is open')
    if (isArmed('holder:mid-flush')) {
      await writeAll(this.handle, bytes.subarray(0, bytes.length >> 1), segment.end)
      trip('holder:mid-flush')
    }
    this.dirty = true
    await writeAll(this.handle, bytes, segment.end)
    const last = segment.index.at(-1)
    if (last === undefined || segment.end - last.offset >= INDEX_EVERY_BYTES) segment.index.push({ seq, offset: segment.end })
    segment.end += bytes.length
  }
}

async function finish(handle: FileHandle, segment: Segment | undefined): Promise<void> {
  try {
    await syncData(handle, segment)
  } finally {
    await handle.close().catch(() => undefined)
  }
}

async function syncData(handle: FileHandle, segment: Segment | undefined): Promise<void> {
  const end = segment?.end ?? 0
  await handle.datasync()
  if (segment !== undefined) noteSynced(segment.path, end)
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

/** The file is whole before it has its name; what stands there is set aside, since it may be anything. */
async function writeApart(path: string, bytes: Uint8Array): Promise<FileHandle> {
  const handle = await open(`${path}.new`, 'w+', 0o600)
  try {
    await writeAll(handle, bytes, 0)
    await handle.datasync()
    await rename(path, `${path}.aside`).catch(() => undefined) // mostly there is nothing
    await rename(`${path}.new`, path)
    return handle
  } catch (error) {
    await handle.close().catch(() => undefined)
    await unlink(`${path}.new`).catch(() => undefined)
    throw error
  }
}

/** Without this, a power cut may forget the name of a file whose contents are safe. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Empty where the file cannot be read: it was deleted meanwhile, or the disk fails. Either way these bytes are gone. */
async function readPart(segment: Segment, offset: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, segment.end - offset))
  try {
    const handle = await open(segment.path, 'r')
    try {
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return new Uint8Array(0)
  }
}

/** All the output in `part` that continues without a hole from `seq`. */
function collect(part: Uint8Array, seq: number): Found {
  const pieces: Uint8Array[] = []
  let wanted = seq
  for (let at = 0; at < part.length; ) {
    const found = decodeRecord(part, at, crc32)
    if (typeof found === 'string') break
    at = found.next
    const { record } = found
    if (record.kind !== 'output' || record.seq + record.bytes.length <= wanted) continue
    if (record.seq > wanted) {
      if (pieces.length === 0) return { next: record.seq }
      break
    }
    pieces.push(record.bytes.subarray(wanted - record.seq))
    wanted = record.seq + record.bytes.length
  }
  return pieces.length === 0 ? { next: null } : { bytes: Buffer.concat(pieces) }
}
