/**
 * Finds the two ways to detach in what the user types: the detach key twice within a second, or the escape character at
 * the beginning of a line followed by a full stop, as in ssh. A pure machine over bytes: whatever may still become one of
 * them is held back, everything else is passed on at once and unchanged. Pasted text is never looked at.
 */
export type DetachConfig = {
  /** The bytes of the key that detaches when pressed twice; null switches this way off. */
  readonly key: Uint8Array | null
  /** The ASCII character that begins an escape after Enter; null switches this way off. */
  readonly escape: string | null
}

export type Step = {
  readonly pass: Uint8Array
  readonly detached: boolean
  /** Call `release` after so many milliseconds without input; null: what is held may stay. */
  readonly releaseInMs: number | null
}

/** Two presses further apart than this are meant for the program. */
export const TWICE_WITHIN_MS = 1_000
/** A terminal writes a key in one piece; if the rest of it is not there by now, it is none. */
const REST_OF_KEY_WITHIN_MS = 30
/** Escape and Alt-[ begin many keys: shorter beginnings are passed on at once, or these two would feel slow. */
const SHORTEST_HELD = 3

const PASTE_BEGINS = '\x1b[200~'
const PASTE_ENDS = '\x1b[201~'

type Token = 'key' | 'keyReleased' | 'pasteBegins' | 'pasteEnds'

export class DetachKeys {
  private readonly patterns: readonly (readonly [string, Token])[]
  private readonly patternStarts: ReadonlySet<string | undefined>
  private readonly escape: string | null
  private held = ''
  /** What `held` is: a first press of the key, the escape character, or the beginning of a longer key. */
  private holding: 'nothing' | 'key' | 'escape' | 'part' = 'nothing'
  /** A first press that waits while the beginning of a longer key is held after it. */
  private pressed = ''
  private lineBegins = true
  private pasting = false

  constructor({ key, escape }: DetachConfig) {
    this.patterns = [...(key === null ? [] : formsOf(latin1(key))), [PASTE_BEGINS, 'pasteBegins'], [PASTE_ENDS, 'pasteEnds']]
    this.patternStarts = new Set(this.patterns.map(([form]) => form[0]))
    this.escape = escape
  }

  feed(bytes: Uint8Array): Step {
    let input = latin1(bytes)
    let pass = ''
    if (this.holding === 'part') {
      input = this.held + input
      this.held = this.pressed
      this.pressed = ''
      this.holding = this.held === '' ? 'nothing' : 'key'
    }
    for (let at = 0; at < input.length; ) {
      const plain = this.plainUntil(input, at)
      if (plain > at) {
        pass += input.slice(at, plain)
        at = plain
        continue
      }
      const found = this.patternAt(input, at)
      if (found === null && this.mayBecomeKey(input, at)) return this.holdPart(pass, input.slice(at))
      const taken = found === null ? this.takeByte(input[at] ?? '') : this.takeToken(found[1], found[0])
      if (taken === null) return { pass: binary(pass), detached: true, releaseInMs: null }
      pass += taken
      at += found === null ? 1 : found[0].length
    }
    return { pass: binary(pass), detached: false, releaseInMs: this.holding === 'key' ? TWICE_WITHIN_MS : null }
  }

  /** The time is up: what was held was meant for the program. The escape character stays, as in ssh. */
  release(): Uint8Array {
    if (this.holding === 'escape') return binary('')
    const pass = this.pressed + this.held
    this.pressed = ''
    return binary(pass === '' ? '' : this.letGo(pass))
  }

  private holdPart(pass: string, rest: string): Step {
    this.pressed = this.holding === 'key' ? this.held : ''
    const before = this.holding === 'escape' ? this.letGo(this.held) : ''
    this.held = rest
    this.holding = 'part'
    return { pass: binary(pass + before), detached: false, releaseInMs: REST_OF_KEY_WITHIN_MS }
  }

  /** Pasted text can be long: all of it up to the next escape sequence goes on in one piece. */
  private plainUntil(input: string, at: number): number {
    if (!this.pasting) return at
    const next = input.indexOf('\x1b', at)
    return next < 0 ? input.length : next
  }

  private patternAt(input: string, at: number): readonly [string, Token] | null {
    if (!this.patternStarts.has(input[at])) return null
    return this.patterns.find(([form]) => input.startsWith(form, at)) ?? null
  }

  private mayBecomeKey(input: string, at: number): boolean {
    if (!this.patternStarts.has(input[at])) return false
    const rest = input.slice(at)
    return rest.length >= SHORTEST_HELD && this.patterns.some(([form]) => form.length > rest.length && form.startsWith(rest))
  }

  /** Null: detached. */
  private takeToken(token: Token, form: string): string | null {
    if (token === 'pasteBegins' || token === 'pasteEnds') {
      this.pasting = token === 'pasteBegins'
      return this.letGo(this.held + form)
    }
    if (this.pasting) return form
    if (token === 'keyReleased') {
      if (this.holding !== 'key') return this.letGo(this.held + form)
      this.held += form
      return ''
    }
    if (this.holding === 'key') return null
    const before = this.held
    this.held = form
    this.holding = 'key'
    this.lineBegins = false
    return before
  }

  private takeByte(byte: string): string | null {
    if (this.pasting) return byte
    if (this.holding === 'escape') {
      if (byte === '.') return null
      // Twice the character is the character once, so that it can be typed.
      return byte === this.escape ? this.letGo(this.held) : this.letGo(this.held + byte)
    }
    if (byte === this.escape && this.lineBegins && this.holding === 'nothing') {
      this.held = byte
      this.holding = 'escape'
      return ''
    }
    return this.letGo(this.held + byte)
  }

  private letGo(text: string): string {
    this.held = ''
    this.holding = 'nothing'
    const last = text.at(-1)
    this.lineBegins = last === '\r' || last === '\n'
    return text
  }
}

/** A program may have asked the terminal to report keys in the newer forms: the same key then arrives as an escape sequence. */
function formsOf(key: string): [string, Token][] {
  const forms: [string, Token][] = [[key, 'key']]
  const code = key.charCodeAt(0)
  if (key.length !== 1 || code >= 0x20) return forms
  const letter = code >= 1 && code <= 26 ? code + 0x60 : code + 0x40
  for (const form of [`\x1b[${letter};5u`, `\x1b[${letter};5:1u`, `\x1b[${letter};5:2u`, `\x1b[27;5;${letter}~`]) forms.push([form, 'key'])
  forms.push([`\x1b[${letter};5:3u`, 'keyReleased'])
  return forms
}

/** Bytes as characters one to one, so that they can be compared and cut as text. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const binary = (text: string): Uint8Array => Buffer.from(text, 'latin1')
