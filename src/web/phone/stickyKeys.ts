/**
 * Ctrl and Alt for keyboards that have none: a tap holds one for the next key, a second tap right after it for all that
 * follow, and one more lets it go. Pure; what is typed meanwhile is what a keyboard with these keys would have sent.
 */
export type Modifier = 'ctrl' | 'alt'
export type Hold = { readonly kind: 'off' } | { readonly kind: 'next'; readonly since: number } | { readonly kind: 'locked' }
export type Sticky = Readonly<Record<Modifier, Hold>>

const OFF: Hold = { kind: 'off' }
export const NOTHING_HELD: Sticky = { ctrl: OFF, alt: OFF }

const DOUBLE_TAP_MS = 400
/** Longer texts come from a clipboard or a dictionary, and are no keys. */
const LONGEST_TYPED = 32

export function tapped(sticky: Sticky, modifier: Modifier, now: number): Sticky {
  return { ...sticky, [modifier]: afterTap(sticky[modifier], now) }
}

function afterTap(hold: Hold, now: number): Hold {
  switch (hold.kind) {
    case 'off':
      return { kind: 'next', since: now }
    case 'next':
      return now - hold.since <= DOUBLE_TAP_MS ? { kind: 'locked' } : OFF
    case 'locked':
      return OFF
  }
}

export const isHeld = ({ kind }: Hold): boolean => kind !== 'off'

/** What is sent for what was typed, and what is held after it. */
export function typedWith(sticky: Sticky, text: string): { readonly text: string; readonly sticky: Sticky } {
  if (!(isHeld(sticky.ctrl) || isHeld(sticky.alt)) || !isKey(text)) return { text, sticky }
  return { text: modified(text, sticky), sticky: { ctrl: afterKey(sticky.ctrl), alt: afterKey(sticky.alt) } }
}

const afterKey = (hold: Hold): Hold => (hold.kind === 'next' ? OFF : hold)

/** Cursor keys and the like: `ESC [ A`, `ESC O P`, `ESC [ 5 ~`. */
const SPECIAL_KEY = /^\x1b(?:[[O]([A-HPQRS])|\[(\d{1,2})~)$/

/** Not what a mouse, a paste or the terminal itself says: that has its own meaning, whatever is held. */
function isKey(text: string): boolean {
  if (text === '' || text.length > LONGEST_TYPED || /[\r\n]./s.test(text)) return false
  return !text.startsWith('\x1b') || text === '\x1b' || SPECIAL_KEY.test(text)
}

function modified(text: string, sticky: Sticky): string {
  const [ctrl, alt] = [isHeld(sticky.ctrl), isHeld(sticky.alt)]
  const special = SPECIAL_KEY.exec(text)
  if (special !== null) {
    const number = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0) // as terminals have always counted
    return special[1] === undefined ? `\x1b[${special[2]};${number}~` : `\x1b[1;${number}${special[1]}`
  }
  // A dictionary gives whole words: the key is their first character.
  const [first = '', ...rest] = text
  return `${alt ? '\x1b' : ''}${ctrl ? withCtrl(first) : first}${rest.join('')}`
}

const CTRL_OTHERS: Readonly<Record<string, string>> = { ' ': '\0', '2': '\0', '/': '\x1f', '-': '\x1f', '?': '\x7f', '\x7f': '\b' }

function withCtrl(character: string): string {
  if (/[a-z]/i.test(character)) return String.fromCharCode(character.toUpperCase().charCodeAt(0) - 64)
  if (/[@[\\\]^_]/.test(character)) return String.fromCharCode(character.charCodeAt(0) - 64)
  if (/[3-7]/.test(character)) return String.fromCharCode(character.charCodeAt(0) - 24)
  return CTRL_OTHERS[character] ?? character
}
