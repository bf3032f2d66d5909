import { utf8Decode, utf8Encode } from '../base/utf8.ts'
import { type LineMark, NO_LINES } from './lines.ts'
import { joinBytes } from './safeCut.ts'

/**
 * One screen at one seq. The picture and nearly all of the state are ANSI for a fresh terminal of the same size, so that a
 * user's own terminal or the page can be brought up to date with it too; what ANSI cannot say stands in fields.
 */
export type Snapshot = {
  readonly version: 1
  /** The snapshot shows the run after this many output bytes; the next ones are the log's from here. */
  readonly seq: number
  readonly cols: number
  readonly rows: number
  /** Lines that have scrolled away. */
  readonly history: string
  /** The visible screen, the screen beneath an alternate one, modes, cursor, pen. */
  readonly screen: string
  /** Nearly always empty: the part of an unfinished sequence whose control characters have taken effect already. */
  readonly pending: string
  readonly title: string
  readonly titleStack: readonly string[]
  readonly cwd: string
  /** Where this is in the numbers of the run's lines. */
  readonly lines: LineMark
  /** Whether the oldest line of the normal and of the alternate buffer continues a line that is gone. */
  readonly continued: readonly [normal: boolean, alternate: boolean]
  /** The active character set, where it is not the one shifted in. */
  readonly charset: string | null
  /** Underline style that the pen carries without underlining: restoring a saved cursor leaves it, a later sequence may wake it. */
  readonly dormantUnderline: number
  /** What the last character would join with, in the terms of the width provider. */
  readonly joinState: number
}

/** What to write into a fresh (or just reset) terminal of the same size. */
export function snapshotAnsi(snapshot: Snapshot, { history = true }: { history?: boolean } = {}): string {
  const title = snapshot.title === '' ? '' : `\x1b]2;${snapshot.title}\x1b\\`
  return title + (history ? snapshot.history : '') + snapshot.screen + snapshot.pending
}

// Layout: magic, three lengths, header (JSON), history, screen (UTF-8), checksum of all before, end mark. Numbers are big-endian.
const MAGIC = utf8Encode('HFS\x01')
const END = utf8Encode('\x00HFE')
const FIXED = MAGIC.length + 12

export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const { history, screen, ...header } = snapshot
  const parts = [utf8Encode(JSON.stringify(header)), utf8Encode(history), utf8Encode(screen)]
  const lengths = parts.map((part) => numberBytes(part.length))
  const body = joinBytes(MAGIC, ...lengths, ...parts)
  return joinBytes(body, numberBytes(checksum(body)), END)
}

/** Null for what is cut short, damaged, or of a version not known here: a snapshot is only ever a shortcut. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < FIXED + 4 + END.length || !startsWith(bytes, MAGIC) || !startsWith(bytes.subarray(bytes.length - END.length), END))
    return null
  const ends = [FIXED]
  for (let index = 0; index < 3; index++) ends.push((ends[index] ?? 0) + view.getUint32(MAGIC.length + index * 4))
  const [headerAt = 0, historyAt = 0, screenAt = 0, bodyEnd = 0] = ends
  if (bodyEnd + 4 + END.length !== bytes.length || view.getUint32(bodyEnd) !== checksum(bytes.subarray(0, bodyEnd))) return null
  const header = decodeHeader(utf8Decode(bytes.subarray(headerAt, historyAt)))
  if (header === null) return null
  return { ...header, history: utf8Decode(bytes.subarray(historyAt, screenAt)), screen: utf8Decode(bytes.subarray(screenAt, bodyEnd)) }
}

function decodeHeader(json: string): Omit<Snapshot, 'history' | 'screen'> | null {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return null // damaged, though the checksum fits: written by something else
  }
  if (typeof value !== 'object' || value === null) return null
  const field = (name: string): unknown => Reflect.get(Object(value), name)
  const text = (name: string): string => (typeof field(name) === 'string' ? String(field(name)) : '')
  const [seq, cols, rows] = [field('seq'), field('cols'), field('rows')]
  const [joinState, dormantUnderline] = [field('joinState'), field('dormantUnderline')]
  if (field('version') !== 1 || !isCount(seq) || !isCount(cols) || !isCount(rows) || cols < 1 || rows < 1) return null
  const stack = field('titleStack')
  return {
    version: 1,
    seq,
    cols,
    rows,
    pending: text('pending'),
    title: text('title'),
    titleStack: Array.isArray(stack) ? stack.filter((entry) => typeof entry === 'string') : [],
    cwd: text('cwd'),
    lines: decodeLines(field('lines')),
    continued: [bit(field('continued'), 0), bit(field('continued'), 1)],
    charset: field('charset') === null ? null : text('charset') || null,
    dormantUnderline: isCount(dormantUnderline) ? dormantUnderline & 7 : 0,
    joinState: isCount(joinState) ? joinState : 0,
  }
}

function decodeLines(value: unknown): LineMark {
  const { first, top, whole } = (value ?? {}) as Record<string, unknown>
  return isCount(first) && isCount(top) ? { first, top, whole: whole === true } : NO_LINES
}

const bit = (list: unknown, index: number): boolean => Array.isArray(list) && list[index] === true

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean => start.every((byte, at) => bytes[at] === byte)

function numberBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** FNV-1a: enough to notice damage, and quick. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}
