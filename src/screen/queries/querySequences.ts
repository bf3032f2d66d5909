import { CSI_QUERIES, isCsiQuery, isDcsQuery, isGraphicsQuery, isOscQuery, OSC_QUERY_CODES } from './queryTable.ts'

/** Finds escape sequences in a stream of bytes and tells which of them ask something, without parsing the rest of it. */
const MAX_HELD = 256 // bytes; no query is longer, so a longer sequence is passed on as it is

const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
export const ESC = 0x1b
const NOTHING = new Uint8Array(0)

/** The first of the two bytes that a control character of the second set (C1) has in UTF-8. */
export const C1 = 0xc2
const C1_STRING_END = 0x9c
/** C1 controls that begin a sequence, and what follows ESC in their longer form. */
const INTRODUCERS: ReadonlyMap<number, number> = new Map([
  [0x90, 0x50], // DCS
  [0x98, 0x58], // SOS
  [0x9a, 0x5a], // device attributes
  [0x9b, 0x5b], // CSI
  [0x9d, 0x5d], // OSC
  [0x9e, 0x5e], // PM
  [0x9f, 0x5f], // APC
])
const isC1 = (byte: number): boolean => byte >= 0x80 && byte < 0xa0

/**
 * What begins at an ESC or a C1 control.
 * `query`      to be taken out, up to `end`
 * `other`      to be passed on, up to `end`
 * `cancelled`  ended at `end` by another ESC (or C1) before it was complete
 * `string`     (or `oscString`, which a BEL ends too) passed on without looking at it, from `end` on until it ends
 * `control`    the same for a control sequence
 * `unfinished` not to be told yet
 */
type Verdict = 'query' | 'other' | 'cancelled' | 'string' | 'oscString' | 'control' | 'unfinished'
export type Reading = { readonly verdict: Verdict; readonly end: number }

/** In coloured text the next one is near, and a call into the engine takes longer than a look. */
const NEAR_BYTES = 64

/** Where the next sequence begins: at an ESC, or at a C1 control (or what may become one). Asked with growing positions. */
export function sequenceFinder(data: Uint8Array): (from: number) => number {
  let c1 = nextC1(data, 0)
  return (from) => {
    if (c1 >= 0 && c1 < from) c1 = nextC1(data, from)
    const esc = nextEscape(data, from)
    return c1 >= 0 && (esc < 0 || c1 < esc) ? c1 : esc
  }
}

function nextC1(data: Uint8Array, from: number): number {
  let at = data.indexOf(C1, from)
  while (at >= 0 && at + 1 < data.length && !INTRODUCERS.has(data[at + 1] ?? 0)) at = data.indexOf(C1, at + 1)
  return at
}

function nextEscape(data: Uint8Array, from: number): number {
  const near = Math.min(data.length, from + NEAR_BYTES)
  for (let at = from; at < near; at++) if (data[at] === ESC) return at
  return data.indexOf(ESC, near)
}

/** Final bytes that end a question in some form; control sequences with any other need no second look. */
const ASKS = Uint8Array.from({ length: 256 }, (_, byte) => Number('cnpqtuwxy'.includes(String.fromCharCode(byte))))

/** Behind a whole control sequence of nothing but numbers that asks nothing, such as a colour; 0 for everything else. */
export function endOfPlainControl(data: Uint8Array, start: number): number {
  if (data[start] !== ESC || data[start + 1] !== 0x5b) return 0
  let at = start + 2
  let byte = data[at] ?? 0
  while (byte >= 0x30 && byte <= 0x3b) byte = data[++at] ?? 0
  return byte >= 0x40 && byte <= 0x7e && ASKS[byte] === 0 ? at + 1 : 0
}

/** Control characters inside a control sequence take effect all the same. */
export function effectsInside(data: Uint8Array, from: number, to: number): Uint8Array {
  return data[from + 1] === 0x5b || data[from + 1] === 0x9b ? data.subarray(from + 1, to).filter((byte) => byte < 0x20) : NOTHING
}

/** Where the sequence ends: at the byte that ends it, or behind the last byte. */
export function endOfPassing(data: Uint8Array, from: number, kind: 'string' | 'oscString' | 'control'): number {
  let at = from
  for (; at < data.length; at++) {
    const byte = data[at] ?? 0
    if (byte === ESC || byte === CAN || byte === SUB) break
    if (kind === 'oscString' && byte === BEL) break
    if (kind === 'control' && byte >= 0x40) break
    if (byte === C1 && (at + 1 === data.length || isC1(data[at + 1] ?? 0))) break
  }
  return at
}

const isExecuted = (byte: number): boolean => byte < 0x20 && byte !== ESC && byte !== CAN && byte !== SUB

export function readSequence(data: Uint8Array, start: number): Reading {
  let at = start + 1
  while (data[start] === ESC && at < data.length && isExecuted(data[at] ?? 0) && at - start < MAX_HELD) at++
  if (at >= data.length) return { verdict: 'unfinished', end: at }
  switch (data[start] === ESC ? data[at] : INTRODUCERS.get(data[at] ?? 0)) {
    case ESC:
      return { verdict: 'cancelled', end: at }
    case 0x5b: // [
      return readControl(data, start, at + 1)
    case 0x5d: // ]
      return readOsc(data, start, at + 1)
    case 0x50: // P
      return readDcs(data, start, at + 1)
    case 0x5f: // _
      return readApc(data, start, at + 1)
    case 0x58: // X
    case 0x5e: // ^
      return { verdict: 'string', end: at + 1 }
    case 0x5a: // Z, the oldest way to ask for device attributes
      return { verdict: 'query', end: at + 1 }
    default:
      return readEscape(data, start, at)
  }
}

/** Any other escape sequence: intermediate bytes and a final one. */
function readEscape(data: Uint8Array, start: number, from: number): Reading {
  let at = from
  while (at < data.length && at - start < MAX_HELD && isIntermediate(data[at] ?? 0)) at++
  if (at >= data.length) return { verdict: 'unfinished', end: at }
  if (data[at] === C1 && at + 1 >= data.length) return { verdict: 'unfinished', end: at }
  return data[at] === ESC || isIntroducer(data, at) ? { verdict: 'cancelled', end: at } : { verdict: 'other', end: at + 1 }
}

const isIntermediate = (byte: number): boolean => (byte >= 0x20 && byte < 0x30) || isExecuted(byte)

export const isIntroducer = (data: Uint8Array, at: number): boolean => data[at] === C1 && INTRODUCERS.has(data[at + 1] ?? 0)

function readControl(data: Uint8Array, start: number, from: number): Reading {
  for (let at = from; at < data.length; at++) {
    const byte = data[at] ?? 0
    if (at - start >= MAX_HELD) return { verdict: 'control', end: at }
    if (byte === C1 && at + 1 >= data.length) return { verdict: 'unfinished', end: at }
    if (byte === ESC || isIntroducer(data, at)) return { verdict: 'cancelled', end: at }
    if (byte === CAN || byte === SUB || byte >= 0x80) return { verdict: 'other', end: at + 1 }
    if (byte < 0x40 || byte === 0x7f) continue
    return { verdict: isControlQuery(data, from, at) ? 'query' : 'other', end: at + 1 }
  }
  return { verdict: 'unfinished', end: data.length }
}

const SGR = 0x6d // m: by far the most frequent control sequence, and a question only after `?`
const QUESTION = 0x3f

function isControlQuery(data: Uint8Array, from: number, final: number): boolean {
  const last = data[final] ?? 0
  if (last === SGR && data[from] !== QUESTION) return false
  if (!QUERY_FINALS.has(last)) return false
  return isCsiQuery(latin1(data.subarray(from, final).filter((byte) => byte >= 0x20)), String.fromCharCode(last))
}

const QUERY_FINALS: ReadonlySet<number> = new Set(CSI_QUERIES.map((query) => query.final.charCodeAt(0)))

function readOsc(data: Uint8Array, start: number, from: number): Reading {
  let at = from
  let code = 0
  for (; at < data.length; at++) {
    const digit = (data[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) break
    code = code * 10 + digit
    if (code > 100_000) break
  }
  if (at >= data.length) return { verdict: 'unfinished', end: at }
  if (!OSC_QUERY_CODES.includes(code)) return { verdict: 'oscString', end: at }
  return readString({ data, start, from: at, bel: true, isQuery: (text) => isOscQuery(code, text.slice(1)) })
}

function readDcs(data: Uint8Array, start: number, from: number): Reading {
  for (let at = from; at < data.length; at++) {
    const byte = data[at] ?? 0
    if (byte >= 0x20 && byte < 0x40 && at - start < MAX_HELD) continue
    if (byte === C1 && at + 1 >= data.length) return { verdict: 'unfinished', end: at }
    if (byte < 0x40 || byte > 0x7e) return { verdict: 'string', end: at }
    if (!isDcsQuery(latin1(data.subarray(from, at)), String.fromCharCode(byte))) return { verdict: 'string', end: at + 1 }
    return readString({ data, start, from: at + 1, bel: false, isQuery: () => true })
  }
  return { verdict: 'unfinished', end: data.length }
}

const GRAPHICS = 0x47 // G

function readApc(data: Uint8Array, start: number, from: number): Reading {
  if (from >= data.length) return { verdict: 'unfinished', end: from }
  if (data[from] !== GRAPHICS) return { verdict: 'string', end: from }
  return readString({ data, start, from, bel: false, isQuery: isGraphicsQuery })
}

type StringToRead = { data: Uint8Array; start: number; from: number; bel: boolean; isQuery: (text: string) => boolean }

function readString({ data, start, from, bel, isQuery }: StringToRead): Reading {
  for (let at = from; at < data.length; at++) {
    const byte = data[at] ?? 0
    if (at - start >= MAX_HELD) return { verdict: bel ? 'oscString' : 'string', end: at }
    if (byte === CAN || byte === SUB) return { verdict: 'other', end: at + 1 }
    if (byte === C1) {
      const ending = endByC1(data, at, () => isQuery(latin1(data.subarray(from, at))))
      if (ending !== null) return ending
      continue
    }
    const ended = byte === ESC || (bel && byte === BEL)
    if (!ended) continue
    if (byte === ESC && at + 1 >= data.length) return { verdict: 'unfinished', end: at }
    // Another ESC than that of the string's end ends the string too, and begins something new.
    const end = byte === BEL ? at + 1 : data[at + 1] === 0x5c ? at + 2 : at
    return { verdict: isQuery(latin1(data.subarray(from, at))) ? 'query' : end === at ? 'cancelled' : 'other', end }
  }
  return { verdict: 'unfinished', end: data.length }
}

/** Any C1 control ends a string; only one of them so that it takes effect. Null for what is an ordinary character. */
function endByC1(data: Uint8Array, at: number, isQuery: () => boolean): Reading | null {
  if (at + 1 >= data.length) return { verdict: 'unfinished', end: at }
  const second = data[at + 1] ?? 0
  if (!isC1(second)) return null
  if (second === C1_STRING_END) return { verdict: isQuery() ? 'query' : 'other', end: at + 2 }
  return isIntroducer(data, at) ? { verdict: 'cancelled', end: at } : { verdict: 'other', end: at + 2 }
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
