/** The user's input as keys of the pager. Everything else that a terminal may send is dropped. */
export type PagerKey =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'control'; readonly letter: string }
  | { readonly kind: 'up' | 'down' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'enter' | 'backspace' | 'escape' }

type Named = Exclude<PagerKey['kind'], 'character' | 'control'>

const FINALS: Readonly<Record<string, Named>> = { A: 'up', B: 'down', H: 'home', F: 'end' }
const NUMBERS: Readonly<Record<string, Named>> = { '1': 'home', '4': 'end', '5': 'pageUp', '6': 'pageDown', '7': 'home', '8': 'end' }
const PLAIN: Readonly<Record<string, Named>> = { '\r': 'enter', '\n': 'enter', '\x7f': 'backspace', '\b': 'backspace', '\x1b': 'escape' }

/** A whole sequence, or one character. */
const TOKEN =
  /\x1b(?:\[(?<numbers>[0-?]*)[ -/]*(?<final>[@-~])|O(?<ss3>[A-Za-z])|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|(?<alt>[^[O\]PX^_]))|(?<character>[^\x1b])/suy
/** Silence after a lone Escape distinguishes it from the beginning of a key. */
export const ESCAPE_AFTER_MS = 40

export class PagerKeys {
  private rest = ''
  private readonly decoder = new TextDecoder('utf-8')

  /** Call `release` after ESCAPE_AFTER_MS without input when this is true. */
  get isWaiting(): boolean {
    return this.rest !== ''
  }

  feed(bytes: Uint8Array): readonly PagerKey[] {
    const input = this.rest + this.decoder.decode(bytes, { stream: true })
    const keys: PagerKey[] = []
    TOKEN.lastIndex = 0
    let end = 0
    for (let found = TOKEN.exec(input); found !== null; found = TOKEN.exec(input)) {
      end = TOKEN.lastIndex
      keys.push(...keysOf(found.groups ?? {}))
    }
    this.rest = input.slice(end)
    return keys
  }

  release(): readonly PagerKey[] {
    const isEscape = this.rest === '\x1b'
    this.rest = ''
    return isEscape ? [{ kind: 'escape' }] : []
  }
}

function keysOf(groups: Readonly<Record<string, string | undefined>>): readonly PagerKey[] {
  const { numbers = '', final, ss3, alt, character } = groups
  if (character !== undefined) return [keyOfCharacter(character)]
  // Keys with Alt are ignored; Escape pressed twice is Escape.
  if (alt !== undefined) return alt === '\x1b' ? [{ kind: 'escape' }] : []
  const name = final === '~' ? NUMBERS[numbers.split(';')[0] ?? ''] : FINALS[final ?? ss3 ?? '']
  return name === undefined ? [] : [{ kind: name }]
}

function keyOfCharacter(character: string): PagerKey {
  const name = PLAIN[character]
  if (name !== undefined) return { kind: name }
  return character < ' '
    ? { kind: 'control', letter: String.fromCharCode(character.charCodeAt(0) + 0x60) }
    : { kind: 'character', character }
}
