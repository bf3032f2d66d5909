/**
 * Text that programs choose (titles, names, reasons) is shown in pages, terminals and logs, where a control
 * character is an instruction. Those, lone surrogates, line separators and direction overrides never get in.
 */
const UNSAFE = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'
const UNSAFE_ONCE = new RegExp(UNSAFE, 'u')
const UNSAFE_ALL = new RegExp(UNSAFE, 'gu')

export const MAX_TITLE_LENGTH = 256 // characters: more than any title bar shows; programs can send megabytes
export const MAX_REASON_LENGTH = 1024 // characters: a whole error message with a long path in it

const UNITS_PER_CHARACTER = 4 // room for surrogate pairs and stripped characters, so that the work stays bounded too

export const isSafeText = (text: string): boolean => !UNSAFE_ONCE.test(text)

export function safeText(text: string, maxLength: number): string {
  const bounded = text.slice(0, maxLength * UNITS_PER_CHARACTER).replace(UNSAFE_ALL, '')
  return [...bounded].slice(0, maxLength).join('')
}
