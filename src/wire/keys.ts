/**
 * Names of keys, as `send --keys` and the config know them, and the bytes a terminal would send for them:
 * `Enter`, `Up`, `F5`, `a`, with any of the prefixes `C-` (Ctrl), `M-` (Alt) and `S-` (Shift).
 */
import { done, type Refusal, type Result, refusals, refused } from '../base/refusal.ts'
import { utf8Encode } from '../base/utf8.ts'

export type KeyModes = {
  /** DECCKM: full-screen programs ask for another form of the unmodified arrows, Home and End. */
  readonly applicationCursor: boolean
}

const ESC = '\x1b'

/** Keys with one plain byte, and the code that CSI u gives them when a modifier has no byte of its own. */
const PLAIN: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  escape: ESC,
  esc: ESC,
  space: ' ',
  backspace: '\x7f',
  comma: ',', // a list of keys is written with commas
}

/** `CSI 1 ; modifiers LETTER`; unmodified `CSI LETTER`, or `ESC O LETTER` in application mode. */
const CURSOR: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', end: 'F', home: 'H' }

/** `ESC O LETTER`; modified `CSI 1 ; modifiers LETTER`. */
const SS3: Readonly<Record<string, string>> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' }

/** `CSI NUMBER ; modifiers ~` */
const TILDE: Readonly<Record<string, number>> = {
  insert: 2,
  ins: 2,
  delete: 3,
  del: 3,
  pageup: 5,
  pgup: 5,
  pagedown: 6,
  pgdn: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
}

type Modifiers = { readonly ctrl: boolean; readonly alt: boolean; readonly shift: boolean }

export function keyBytes(name: string, modes: KeyModes = { applicationCursor: false }): Result<Uint8Array> {
  const { key, modifiers } = splitModifiers(name)
  const text = key === '' ? null : (namedKey(key.toLowerCase(), modifiers, modes) ?? characterKey(key, modifiers))
  return text === null ? unknownKey(name) : done(utf8Encode(text))
}

/** The bytes of a list such as `C-c,Up,Enter`, one entry per key; the first unknown name refuses all of it. */
export function keysBytes(names: readonly string[]): Result<Uint8Array[]> {
  const all: Uint8Array[] = []
  for (const name of names) {
    const bytes = keyBytes(name)
    if (!bytes.ok) return bytes
    all.push(bytes.value)
  }
  return done(all)
}

const unknownKey = (name: string): { readonly ok: false; readonly refusal: Refusal } => refused(refusals.keyUnknown(name))

function splitModifiers(name: string): { readonly key: string; readonly modifiers: Modifiers } {
  const found = new Set<string>()
  let key = name
  // The last character is always the key itself, so that `C--` is Ctrl with a minus.
  while (key.length > 2 && /^[cms]-/i.test(key)) {
    found.add((key[0] ?? '').toLowerCase())
    key = key.slice(2)
  }
  return { key, modifiers: { ctrl: found.has('c'), alt: found.has('m'), shift: found.has('s') } }
}

/** xterm counts modifiers from one: Shift 1, Alt 2, Ctrl 4. */
const modifierNumber = ({ ctrl, alt, shift }: Modifiers): number => 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0)

function namedKey(key: string, modifiers: Modifiers, modes: KeyModes): string | null {
  const number = modifierNumber(modifiers)
  const cursor = lookUp(CURSOR, key)
  if (cursor !== null) return number === 1 ? `${ESC}${modes.applicationCursor ? 'O' : '['}${cursor}` : `${ESC}[1;${number}${cursor}`
  const ss3 = lookUp(SS3, key)
  if (ss3 !== null) return number === 1 ? `${ESC}O${ss3}` : `${ESC}[1;${number}${ss3}`
  const tilde = lookUp(TILDE, key)
  if (tilde !== null) return number === 1 ? `${ESC}[${tilde}~` : `${ESC}[${tilde};${number}~`
  const plain = lookUp(PLAIN, key)
  return plain === null ? null : modifiedPlain(plain, modifiers)
}

/** Own properties only: `constructor` is no key. */
const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | null =>
  Object.hasOwn(table, key) ? (table[key] ?? null) : null

function modifiedPlain(plain: string, modifiers: Modifiers): string {
  if (plain === '\t' && modifiers.shift && !modifiers.ctrl) return prefixed(`${ESC}[Z`, modifiers)
  if (plain === ' ' && modifiers.ctrl) return prefixed('\0', modifiers)
  if (plain === '\x7f' && modifiers.ctrl) return prefixed('\x08', modifiers)
  const shiftMatters = modifiers.shift && (plain === '\r' || plain === ESC)
  // There is no older form that tells these apart from the bare key; programs that care have asked for this one.
  if (modifiers.ctrl || shiftMatters) return `${ESC}[${plain.charCodeAt(0)};${modifierNumber(modifiers)}u`
  return prefixed(plain, modifiers)
}

const prefixed = (text: string, { alt }: Modifiers): string => (alt ? ESC + text : text)

function characterKey(key: string, modifiers: Modifiers): string | null {
  if ([...key].length !== 1 || /\p{Cc}/u.test(key)) return null
  const shifted = modifiers.shift ? key.toUpperCase() : key
  if (!modifiers.ctrl) return prefixed(shifted, modifiers)
  const control = controlOf(key)
  return control === null ? null : prefixed(control, modifiers)
}

/** Ctrl clears the upper bits of `@ A–Z [ \ ] ^ _`; three more are custom since the VT220. */
function controlOf(key: string): string | null {
  if (key === '?') return '\x7f'
  if (key === '/' || key === '-') return '\x1f'
  const upper = key.toUpperCase()
  return /^[@-_]$/.test(upper) ? String.fromCharCode(upper.charCodeAt(0) & 0x1f) : null
}
