import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import { joinBytes } from '../engine/safeCut.ts'
import type { HistoryChunk, Snapshot } from './snapshot.ts'
import { isChunkHeader, isSnapshotHeader, MOST_HISTORY_ROWS, type SnapshotHeader } from './snapshotShape.ts'

/**
 * A snapshot as bytes, in the order in which it is drawn: what is on the screen first, then the history, newest chunk first,
 * then an end mark. Each part has its own checksum, so the first can be used when the rest has not arrived.
 *
 *   magic with version · part (header, screen) · parts (chunk's header, rows), each after a mark · end mark
 *   part = length of its header (JSON) · length of its ANSI · header · ANSI · checksum of all that
 *
 * Lengths and checksums have four bytes, the highest first; texts are UTF-8.
 */
const MAGIC = utf8Encode('HFS\x02')
const CHUNK = utf8Encode('\x01HFC')
const END = utf8Encode('\x00HFE')

export function encodeSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const { history, screen, ...header } = snapshot
  const chunks = history.toReversed().flatMap(({ ansi, ...chunk }) => [CHUNK, ...encodePart(chunk, ansi)])
  return joinBytes(MAGIC, ...encodePart({ ...header, chunks: history.length }, screen), ...chunks, END)
}

/** Null for what is cut short, damaged, of a version not known here, or out of bounds: a snapshot is only ever a shortcut. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | null {
  const first = decodeFirst(bytes)
  if (first === null) return null
  const history: HistoryChunk[] = []
  let [at, rows] = [first.end, 0]
  while (isAt(bytes, at, CHUNK)) {
    const part = decodePart(bytes, at + CHUNK.length)
    if (part === null || !isChunkHeader(part.header)) return null
    rows += part.header.rows
    if (rows > MOST_HISTORY_ROWS) return null
    history.push({ ...part.header, ansi: part.ansi })
    at = part.end
  }
  history.reverse()
  if (!isAt(bytes, at, END) || at + END.length !== bytes.length || history.length !== first.chunks) return null
  return { ...first.header, history, screen: first.screen }
}

/** The screen alone, without history: it can be drawn from the first bytes of a snapshot. */
export function decodeSnapshotScreen(bytes: Uint8Array): Snapshot | null {
  const first = decodeFirst(bytes)
  return first === null ? null : { ...first.header, history: [], screen: first.screen }
}

/** A screen of the largest size with all its colours, and the longest history. */
const MOST_BYTES = 64 << 20

function decodeFirst(bytes: Uint8Array): { header: Omit<SnapshotHeader, 'chunks'>; chunks: number; screen: string; end: number } | null {
  const part = bytes.length <= MOST_BYTES && isAt(bytes, 0, MAGIC) ? decodePart(bytes, MAGIC.length) : null
  if (part === null || !isSnapshotHeader(part.header)) return null
  const { chunks, ...header } = part.header
  return { header, chunks, screen: part.ansi, end: part.end }
}

function encodePart(header: object, ansi: string): Uint8Array[] {
  const texts = [utf8Encode(JSON.stringify(header)), utf8Encode(ansi)]
  const parts = [...texts.map((text) => numberBytes(text.length)), ...texts]
  return [...parts, numberBytes(parts.reduce(checksum, CHECKSUM_START) >>> 0)]
}

function decodePart(bytes: Uint8Array, start: number): { header: unknown; ansi: string; end: number } | null {
  if (start + 12 > bytes.length) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headerAt = start + 8
  const ansiAt = headerAt + view.getUint32(start)
  const end = ansiAt + view.getUint32(start + 4)
  if (end + 4 > bytes.length) return null
  if (checksum(CHECKSUM_START, bytes.subarray(start, end)) >>> 0 !== view.getUint32(end)) return null
  try {
    const header: unknown = JSON.parse(utf8Decode(bytes.subarray(headerAt, ansiAt)))
    return { header, ansi: utf8Decode(bytes.subarray(ansiAt, end)), end: end + 4 }
  } catch {
    return null // damaged, though the checksum fits: written by something else
  }
}

const isAt = (bytes: Uint8Array, at: number, mark: Uint8Array): boolean => mark.every((byte, index) => bytes[at + index] === byte)

function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

const CHECKSUM_START = 0x811c9dc5

/** FNV-1a: enough to notice damage, and quick. */
function checksum(start: number, bytes: Uint8Array): number {
  let hash = start
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}
