import { utf8Decode } from '../../base/utf8.ts'

/**
 * Where a byte stream may be cut: never inside a UTF-8 character or an escape sequence.
 */

/** How many bytes at the end begin a UTF-8 character that is not complete. */
function unfinishedCharacter(bytes: Uint8Array, end: number = bytes.length): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf8 || byte < 0xc0 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < length ? back : 0
  }
  return 0
}

/**
 * Hands out chunks that never end inside a character, nor are longer than `max`.
 * The engine needs this (and the page's does too): of a character cut after a byte of 0x80, as in “…” or “。”, it makes nothing.
 */
export type CharacterAligner = {
  push(bytes: Uint8Array): Uint8Array[]
  /** Bytes held back until their character is complete. */
  readonly held: Uint8Array
  reset(): void
}

const MAX_CHUNK = 65_536 // bytes; the engine itself cuts blindly at 131,072

export function createCharacterAligner(max: number = MAX_CHUNK): CharacterAligner {
  let held = new Uint8Array(0)
  return {
    push(bytes) {
      const all = held.length === 0 ? bytes : joinBytes(held, bytes)
      const end = all.length - unfinishedCharacter(all)
      const chunks: Uint8Array[] = []
      for (let from = 0; from < end; ) {
        let to = Math.min(end, from + max)
        if (to < end) to -= unfinishedCharacter(all, to)
        chunks.push(all.subarray(from, to))
        from = to
      }
      held = all.slice(end)
      return chunks
    },
    get held() {
      return held
    },
    reset() {
      held = new Uint8Array(0)
    },
  }
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const ESC = 0x1b

/** Where the last sequence begins: at the last ESC, or at the last C1 introducer (two bytes in UTF-8). Any of them ends what was open before. */
function lastIntroducer(bytes: Uint8Array): number {
  const lastEscape = bytes.lastIndexOf(ESC)
  for (let at = bytes.lastIndexOf(0xc2); at > lastEscape; at = at === 0 ? -1 : bytes.lastIndexOf(0xc2, at - 1)) {
    if (isIntroducer(bytes[at + 1] ?? 0)) return at
  }
  return lastEscape
}

const isIntroducer = (byte: number): boolean => byte === 0x90 || byte === 0x98 || byte === 0x9b || (byte >= 0x9d && byte <= 0x9f)

/** Follows the engine's parser and knows the newest position at which the stream may be cut. */
export type CutFinder = {
  /**
   * `state` is the parser's after these bytes. `swallowing` is what brings another parser into a string that will do nothing
   * either, once the one it is in has become too long to matter.
   */
  consumed(bytes: Uint8Array, state: { readonly ground: boolean; readonly string: boolean; readonly swallowing: string | null }): void
  readonly seq: number
  readonly cut: number
  /**
   * Usually empty. A control character inside an unfinished sequence takes effect at once; then going back to the cut would
   * repeat it, so the snapshot is taken here and this, the sequence without such characters, follows it. A string without an
   * end would hold the cut back for ever; what swallows the rest of it follows instead.
   */
  readonly pending: string
  restart(seq: number, pending: string): void
}

const MAX_TAIL = 512 // bytes; no control sequence that means anything is longer

export function createCutFinder(): CutFinder {
  let seq = 0
  let cut = 0
  let tail = new Uint8Array(0)
  let restored = ''
  const pendingNow = () => {
    if (restored === '' && !tail.subarray(1).some((byte) => byte < 0x20)) return ''
    // Broken bytes are nothing to the engine. A real U+FFFD would have ended the sequence, or is ignored in it.
    return restored + utf8Decode(tail.filter((byte) => byte === ESC || byte >= 0x20)).replaceAll('\ufffd', '')
  }
  return {
    consumed(bytes, { ground, string, swallowing }) {
      const before = seq
      seq += bytes.length
      if (ground) {
        cut = seq
        tail = NOTHING
        restored = ''
        return
      }
      const start = lastIntroducer(bytes)
      if (start >= 0) {
        cut = before + start
        restored = ''
      }
      const grown = start >= 0 ? bytes.slice(start, start + MAX_TAIL + 1) : joinBytes(tail, bytes.subarray(0, MAX_TAIL + 1))
      tail = string || grown.length > MAX_TAIL ? NOTHING : grown
      if (swallowing !== null) restored = swallowing
    },
    get seq() {
      return seq
    },
    get cut() {
      return cut
    },
    get pending() {
      return pendingNow()
    },
    restart(from, pending) {
      seq = from
      cut = from
      tail = NOTHING
      restored = pending
    },
  }
}

const NOTHING = new Uint8Array(0)
