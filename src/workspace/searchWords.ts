/**
 * What counts as a word of a line, for the index, for the live screen and for the marks in what is found alike. Letters and
 * digits make words, everything else parts them: identifiers and paths are found by their parts. Case, accents and width
 * are folded. Scripts that are written without spaces have one word per character.
 */
export type Word = { readonly text: string; readonly from: number; readonly to: number }

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const ASCII_WORD = /[a-z0-9]+/g
const NOT_ASCII = /[^\0-\x7f]/
const NOT_OF_WORDS = /[^\p{L}\p{N}]/gu

/** A line of megabytes is found by its beginning. */
export const LONGEST_LINE = 10_000

export function wordsOf(line: string): Word[] {
  const text = line.slice(0, LONGEST_LINE)
  if (!NOT_ASCII.test(text)) return found(text.toLowerCase(), ASCII_WORD, (word) => word)
  return found(text, WORD, folded).filter((word) => word.text !== '')
}

const found = (text: string, pattern: RegExp, fold: (word: string) => string): Word[] =>
  Array.from(text.matchAll(pattern), ({ 0: word, index }) => ({ text: fold(word), from: index, to: index + word.length }))

/** Twice in lower case: what a sign stands for may be a capital. */
const folded = (word: string): string => word.toLowerCase().normalize('NFKD').replace(NOT_OF_WORDS, '').toLowerCase()

/** The line as an index that knows only ASCII takes it: it finds the same words in it. */
export function indexed(line: string): string {
  const text = line.slice(0, LONGEST_LINE)
  if (!NOT_ASCII.test(text)) return text
  return wordsOf(text)
    .map((word) => word.text)
    .join(' ')
}
