/** The daemon's log: reads its end, follows it through rotations, and prints its lines for people. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { safeText } from '../../workspace/text.ts'

const LOOK_EVERY_MS = 200
const PIECE_BYTES = 64 << 10

/** Null when there is no such file; `end` is where the next line will begin. */
export function lastLines(file: string, count: number): { readonly lines: readonly string[]; readonly end: number } | null {
  const handle = open(file)
  if (handle === null) return null
  try {
    const { size } = fstatSync(handle)
    let from = size
    let text = Buffer.alloc(0)
    // The line break before the first line counts, too.
    while (from > 0 && breaksIn(text) <= count) {
      const length = Math.min(PIECE_BYTES, from)
      from -= length
      text = Buffer.concat([readAt(handle, from, length), text])
    }
    const whole = text.subarray(0, text.lastIndexOf(0x0a) + 1)
    const lines = whole.toString().split('\n').slice(0, -1)
    return { lines: lines.slice(-count), end: size - (text.length - whole.length) }
  } finally {
    closeSync(handle)
  }
}

/** Never resolves: the user stops it. After a rotation, the new file is read from its beginning. */
export function followFile(file: string, { from, onLine }: { readonly from: number; onLine(line: string): void }): Promise<never> {
  let handle = open(file)
  let at = from
  let rest = Buffer.alloc(0)
  const readOn = (): void => {
    if (handle === null) return
    for (let piece = readAt(handle, at, PIECE_BYTES); piece.length > 0; piece = readAt(handle, at, PIECE_BYTES)) {
      at += piece.length
      rest = Buffer.concat([rest, piece])
      for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
        onLine(rest.subarray(0, end).toString())
        rest = rest.subarray(end + 1)
      }
    }
  }
  const look = (): void => {
    readOn()
    if (handle !== null && isStill(file, handle)) return
    const next = open(file)
    if (next === null) return
    if (handle !== null) closeSync(handle)
    handle = next
    at = 0
    rest = Buffer.alloc(0)
    readOn()
  }
  return new Promise(() => setInterval(look, LOOK_EVERY_MS))
}

function breaksIn(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count += 1
  return count
}

function isStill(file: string, handle: number): boolean {
  try {
    return statSync(file).ino === fstatSync(handle).ino
  } catch {
    return true // being rotated at this moment: look again next time
  }
}

function open(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch {
    return null
  }
}

function readAt(handle: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(handle, buffer, 0, length, position))
}

const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const LONGEST = 2_000

/** For people: time, level, message, then the other fields. */
export function logLineText(line: string): string {
  const entry = decode(line)
  if (entry === null) return safeText(line, LONGEST) // not written by us: printed as it is
  const { time, level, msg, pid: _pid, ...details } = entry
  const when = typeof time === 'string' ? time.replace('T', ' ').replace(/Z$/, '') : String(time ?? '')
  const rest = Object.entries(details).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = [when, (LEVELS[Number(level)] ?? String(level ?? '')).padEnd(5), String(msg ?? ''), ...rest].join(' ').trimEnd()
  return text
    .split('\n')
    .map((part) => safeText(part, LONGEST))
    .join('\n    ')
}

function decode(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? (entry as Record<string, unknown>) : null
  } catch {
    return null
  }
}
