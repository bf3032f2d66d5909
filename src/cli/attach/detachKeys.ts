/**
 * Finds the keys in the user's input that are not for the program. There are two ways to detach: a sequence of keys (by default
 * Ctrl-\ twice), or the escape character at the start of a line followed by a period, as in ssh. Other sequences scroll.
 * A pure machine over bytes: input that may become a sequence is held back, all other input passes unchanged at once. Pasted
 * text always passes.
 */
export type DetachConfig = {
  /** The bytes of each key; empty: disabled. */
  readonly sequence: readonly Uint8Array[]
  /** The ASCII character that begins an escape after Enter; null: disabled. */
  readonly escape: string | null
  /** The sequences that scroll, each as the bytes of its keys. */
  readonly scroll?: readonly (readonly Uint8Array[])[]
}

export type Step = {
  readonly pass: Uint8Array
  readonly detached: boolean
  /** Not null if the user wants to scroll: the input after that sequence. */
  readonly scrolls: Uint8Array | null
  /** Call `release` after this many milliseconds without input; null: not needed. */
  readonly releaseInMs: number | null
}

/** Keys further apart than this are meant for the program. */
export const NEXT_KEY_WITHIN_MS = 1_000
/** A terminal writes a key in one piece; if the rest is not there by now, it was not a key. */
const REST_OF_KEY_WITHIN_MS = 30
/** Escape and Alt-[ begin many keys: shorter beginnings pass at once, or these two would feel slow. */
const SHORTEST_PART = 3

type Meaning =
  | { readonly kind: 'key' | 'keyReleased'; readonly key: string }
  | { readonly kind: 'pasteBegins' }
  | { readonly kind: 'pasteEnds' }
type Pattern = { readonly form: string; readonly meaning: Meaning }
type Wish = 'detach' | 'scroll'
type Sequence = { readonly keys: readonly string[]; readonly wish: Wish }

const PASTE: readonly Pattern[] = [
  { form: '\x1b[200~', meaning: { kind: 'pasteBegins' } },
  { form: '\x1b[201~', meaning: { kind: 'pasteEnds' } },
]

export class DetachKeys {
  private readonly sequences: readonly Sequence[]
  private readonly escape: string | null
  private readonly patterns: readonly Pattern[]
  private readonly patternStarts: ReadonlySet<string | undefined>
  private found: Wish | null = null
  /** The pressed keys of a sequence, with the bytes they arrived as. */
  private presses: { readonly key: string; text: string }[] = []
  private escapeHeld = false
  /** The beginning of a key that was cut in two. */
  private part = ''
  private lineBegins = true
  private pasting = false

  constructor(config: DetachConfig) {
    this.sequences = sequencesOf(config)
    this.escape = config.escape
    this.patterns = [...[...new Set(this.sequences.flatMap(({ keys }) => keys))].flatMap(patternsOf), ...PASTE]
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
      pass += found === null ? this.takePlain(text) : this.takePattern(found)
      at += text.length
      if (this.found !== null) return this.wished(pass, input.slice(at))
    }
    return { pass: binary(pass), detached: false, scrolls: null, releaseInMs: this.patience() }
  }

  /** The time is up: the held input was meant for the program. The escape character stays held, as in ssh. */
  release(): Uint8Array {
    const text = this.releasePresses() + this.part
    this.part = ''
    return binary(text === '' ? '' : this.passOn(text))
  }

  private wished(pass: string, rest: string): Step {
    const isDetach = this.found === 'detach'
    this.found = null
    this.presses = []
    return { pass: binary(pass), detached: isDetach, scrolls: isDetach ? null : binary(rest), releaseInMs: null }
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

  private takePattern({ form, meaning }: Pattern): string {
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

  private takeKey(key: string, form: string): string {
    if (this.escapeHeld && (form === '.' || form === this.escape)) return this.takePlain(form)
    let pass = this.releaseEscape()
    this.presses.push({ key, text: form })
    // The last keys may begin another sequence: release the oldest until they do.
    while (this.presses.length > 1 && this.begun().length === 0) pass += this.passOn(this.presses.shift()?.text ?? '')
    const begun = this.begun()
    if (begun.length === 0) {
      this.presses = []
      return pass + this.takePlain(form)
    }
    this.found = begun.find(({ keys }) => keys.length === this.presses.length)?.wish ?? null
    return pass
  }

  /** The sequences that begin with the pressed keys. */
  private begun(): readonly Sequence[] {
    return this.sequences.filter(({ keys }) => this.presses.every(({ key }, at) => key === keys[at]))
  }

  private takePlain(text: string): string {
    if (this.pasting) return text
    const before = this.releasePresses()
    if (this.escapeHeld) {
      this.escapeHeld = false
      if (text === '.') {
        this.found = 'detach'
        return ''
      }
      // The escape character typed twice is sent once.
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

function sequencesOf({ sequence, scroll = [] }: DetachConfig): Sequence[] {
  const all = [sequence, ...scroll].map((keys, at): Sequence => ({ keys: keys.map(latin1), wish: at === 0 ? 'detach' : 'scroll' }))
  return all.filter(({ keys }) => keys.length > 0)
}

/** A program may have enabled a newer keyboard protocol: then keys arrive as other escape sequences. */
function patternsOf(key: string): Pattern[] {
  const press = { kind: 'key', key } as const
  const { pressed, released } = newerForms(key)
  return [
    { form: key, meaning: press },
    ...pressed.map((form): Pattern => ({ form, meaning: press })),
    ...released.map((form): Pattern => ({ form, meaning: { kind: 'keyReleased', key } })),
  ]
}

function newerForms(key: string): { readonly pressed: readonly string[]; readonly released: readonly string[] } {
  const tilde = /^\x1b\[(\d+)~$/.exec(key)?.[1]
  if (tilde !== undefined) return { pressed: [`\x1b[${tilde};1:1~`, `\x1b[${tilde};1:2~`], released: [`\x1b[${tilde};1:3~`] }
  if (key.length !== 1) return { pressed: [], released: [] }
  const code = key.charCodeAt(0)
  if (code >= 0x20)
    return { pressed: [`\x1b[${code}u`, `\x1b[${code};1u`, `\x1b[${code};1:1u`, `\x1b[${code};1:2u`], released: [`\x1b[${code};1:3u`] }
  const letter = code >= 1 && code <= 26 ? code + 0x60 : code + 0x40
  const pressed = [`\x1b[${letter};5u`, `\x1b[${letter};5:1u`, `\x1b[${letter};5:2u`, `\x1b[27;5;${letter}~`]
  return { pressed, released: [`\x1b[${letter};5:3u`] }
}

/** One character per byte, so that bytes can be compared and cut as text. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const binary = (text: string): Uint8Array => Buffer.from(text, 'latin1')
