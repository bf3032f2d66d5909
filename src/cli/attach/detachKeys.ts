/**
 * Finds the two ways to detach in what the user types: a few keys one after the other (by default Ctrl-\ twice), or the
 * escape character at the beginning of a line followed by a full stop, as in ssh. A pure machine over bytes: whatever may
 * still become one of them is held back, everything else is passed on at once and unchanged. Pasted text is not looked at.
 */
export type DetachConfig = {
  /** The bytes of each key; empty switches this way off. */
  readonly sequence: readonly Uint8Array[]
  /** The ASCII character that begins an escape after Enter; null switches this way off. */
  readonly escape: string | null
}

export type Step = {
  readonly pass: Uint8Array
  readonly detached: boolean
  /** Call `release` after so many milliseconds without input; null: what is held may stay. */
  readonly releaseInMs: number | null
}

/** Keys further apart than this are meant for the program. */
export const NEXT_KEY_WITHIN_MS = 1_000
/** A terminal writes a key in one piece; if the rest of it is not there by now, it is none. */
const REST_OF_KEY_WITHIN_MS = 30
/** Escape and Alt-[ begin many keys: shorter beginnings are passed on at once, or these two would feel slow. */
const SHORTEST_PART = 3

type Meaning =
  | { readonly kind: 'key' | 'keyReleased'; readonly key: string }
  | { readonly kind: 'pasteBegins' }
  | { readonly kind: 'pasteEnds' }
type Pattern = { readonly form: string; readonly meaning: Meaning }

const PASTE: readonly Pattern[] = [
  { form: '\x1b[200~', meaning: { kind: 'pasteBegins' } },
  { form: '\x1b[201~', meaning: { kind: 'pasteEnds' } },
]

export class DetachKeys {
  private readonly sequence: readonly string[]
  private readonly escape: string | null
  private readonly patterns: readonly Pattern[]
  private readonly patternStarts: ReadonlySet<string | undefined>
  /** Keys of the sequence so far, with the bytes they came as. */
  private presses: { readonly key: string; text: string }[] = []
  private escapeHeld = false
  /** The beginning of a key that was cut in two. */
  private part = ''
  private lineBegins = true
  private pasting = false

  constructor(config: DetachConfig) {
    this.sequence = config.sequence.map(latin1)
    this.escape = config.escape
    this.patterns = [...[...new Set(this.sequence)].flatMap(patternsOf), ...PASTE]
    this.patternStarts = new Set(this.patterns.map(({ form }) => form[0]))
  }

  feed(bytes: Uint8Array): Step {
    const input = this.part + latin1(bytes)
    this.part = ''
    let pass = ''
    for (let at = 0; at < input.length; ) {
      const found = this.patternAt(input, at)
      if (found === null && this.mayBecomeKey(input, at)) {
        this.part = input.slice(at)
        break
      }
      const text = found?.form ?? this.plainAt(input, at)
      const taken = found === null ? this.takePlain(text) : this.takePattern(found)
      if (taken === null) return { pass: binary(pass), detached: true, releaseInMs: null }
      pass += taken
      at += text.length
    }
    return { pass: binary(pass), detached: false, releaseInMs: this.patience() }
  }

  /** The time is up: what was held was meant for the program. The escape character stays, as in ssh. */
  release(): Uint8Array {
    const text = this.releasePresses() + this.part
    this.part = ''
    return binary(text === '' ? '' : this.passOn(text))
  }

  private patience(): number | null {
    if (this.part !== '') return REST_OF_KEY_WITHIN_MS
    return this.presses.length > 0 ? NEXT_KEY_WITHIN_MS : null
  }

  private patternAt(input: string, at: number): Pattern | null {
    if (!this.patternStarts.has(input[at])) return null
    return this.patterns.find(({ form }) => input.startsWith(form, at)) ?? null
  }

  private mayBecomeKey(input: string, at: number): boolean {
    if (input.length - at < SHORTEST_PART || !this.patternStarts.has(input[at])) return false
    const rest = input.slice(at)
    return this.patterns.some(({ form }) => form.length > rest.length && form.startsWith(rest))
  }

  /** One character; in a paste, which can be long, all of it up to the next escape sequence. */
  private plainAt(input: string, at: number): string {
    if (!this.pasting) return input[at] ?? ''
    const next = input.indexOf('\x1b', at + 1)
    return input.slice(at, next < 0 ? input.length : next)
  }

  /** Null: detached. */
  private takePattern({ form, meaning }: Pattern): string | null {
    switch (meaning.kind) {
      case 'pasteBegins':
      case 'pasteEnds':
        this.pasting = meaning.kind === 'pasteBegins'
        return this.releaseAll() + this.passOn(form)
      case 'keyReleased':
        return this.takeRelease(meaning.key, form)
      case 'key':
        return this.pasting ? form : this.takeKey(meaning.key, form)
    }
  }

  private takeRelease(key: string, form: string): string {
    const last = this.presses.at(-1)
    if (last === undefined || last.key !== key) return this.releaseAll() + this.passOn(form)
    last.text += form
    return ''
  }

  private takeKey(key: string, form: string): string | null {
    if (this.escapeHeld && (form === '.' || form === this.escape)) return this.takePlain(form)
    let pass = this.releaseEscape()
    this.presses.push({ key, text: form })
    // What does not fit may still end with a shorter beginning: let go of the oldest until it does.
    while (this.presses.length > 1 && !this.isBeginning()) pass += this.passOn(this.presses.shift()?.text ?? '')
    if (this.isBeginning()) return this.presses.length === this.sequence.length ? null : pass
    this.presses = []
    const taken = this.takePlain(form)
    return taken === null ? null : pass + taken
  }

  private isBeginning(): boolean {
    return this.presses.every(({ key }, at) => key === this.sequence[at])
  }

  private takePlain(text: string): string | null {
    if (this.pasting) return text
    const before = this.releasePresses()
    if (this.escapeHeld) {
      this.escapeHeld = false
      if (text === '.') return null
      // Twice the character is the character once, so that it can be typed.
      return this.passOn(text === this.escape ? text : `${this.escape}${text}`)
    }
    if (text === this.escape && this.lineBegins && before === '') {
      this.escapeHeld = true
      return ''
    }
    return before + this.passOn(text)
  }

  private releaseAll(): string {
    return this.releasePresses() + this.releaseEscape()
  }

  private releasePresses(): string {
    const text = this.presses.map((press) => press.text).join('')
    this.presses = []
    return text === '' ? '' : this.passOn(text)
  }

  private releaseEscape(): string {
    if (!this.escapeHeld || this.escape === null) return ''
    this.escapeHeld = false
    return this.passOn(this.escape)
  }

  private passOn(text: string): string {
    const last = text.at(-1)
    this.lineBegins = last === '\r' || last === '\n'
    return text
  }
}

/** A program may have asked the terminal for the newer forms of keys: a Ctrl key then arrives as an escape sequence. */
function patternsOf(key: string): Pattern[] {
  const press = { kind: 'key', key } as const
  const plain: Pattern = { form: key, meaning: press }
  const code = key.charCodeAt(0)
  if (key.length !== 1 || code >= 0x20) return [plain]
  const letter = code >= 1 && code <= 26 ? code + 0x60 : code + 0x40
  const newer = [`\x1b[${letter};5u`, `\x1b[${letter};5:1u`, `\x1b[${letter};5:2u`, `\x1b[27;5;${letter}~`]
  return [
    plain,
    ...newer.map((form): Pattern => ({ form, meaning: press })),
    { form: `\x1b[${letter};5:3u`, meaning: { kind: 'keyReleased', key } },
  ]
}

/** Bytes as characters one to one, so that they can be compared and cut as text. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const binary = (text: string): Uint8Array => Buffer.from(text, 'latin1')
