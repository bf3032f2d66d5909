/** Parses a search query: all words, "words in this order", and prefixes such as begin*. */
/** Words that follow each other; of the last one only the beginning if it is a `prefix`. */
export type SearchTerm = { readonly words: readonly string[]; readonly isPrefix: boolean }
type Span = { readonly from: number; readonly to: number }

const MOST_TERMS = 32 // more than a user types; an accidental paste must not become a query of thousands

/** Never fails: what is no word parts words, a quotation mark without its partner reaches to the end. */
export function parseSearch(query: string): SearchTerm[] {
  const parts = Array.from(query.matchAll(/"([^"]*)"?(\*?)|([^\s"]+)/g), ([, quoted, star, plain]) =>
    quoted === undefined
      ? { text: plain ?? '', isPrefix: plain?.endsWith('*') === true }
      : { text: quoted, isPrefix: star === '*' && !/\s$/.test(quoted) },
  )
  return parts
    .map(({ text, isPrefix }) => ({ words: wordsOf(text).map((word) => word.text), isPrefix: isPrefix && endsInWord(text) }))
    .filter(({ words }) => words.length > 0)
    .slice(0, MOST_TERMS)
}

const endsInWord = (text: string): boolean => {
  const bare = text.replace(/\*+$/, '')
  return wordsOf(bare).at(-1)?.to === bare.length
}

/** In the language of the index. Words hold nothing but letters and digits, so that nothing of it can be meant otherwise. */
export const matchOf = (terms: readonly SearchTerm[]): string =>
  terms.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`).join(' AND ')

/** Where the terms stand in a line, in order; null unless all of them do. */
export function spansIn(line: string, terms: readonly SearchTerm[]): Span[] | null {
  const words = wordsOf(line)
  const spans: Span[] = []
  for (const term of terms) {
    const places = words.flatMap((_, at) => {
      const last = words[at + term.words.length - 1]
      const isHere = last !== undefined && term.words.every((word, offset) => isWord(words[at + offset]?.text ?? '', word, term, offset))
      return isHere ? [{ from: words[at]?.from ?? 0, to: last.to }] : []
    })
    if (places.length === 0) return null
    spans.push(...places)
  }
  return merged(spans)
}

function isWord(found: string, wanted: string, { words, isPrefix }: SearchTerm, offset: number): boolean {
  return isPrefix && offset === words.length - 1 ? found.startsWith(wanted) : found === wanted
}

function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from < last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else joined.push(span)
  }
  return joined
}

/**
 * What counts as a word of a line, for the index, for the live screen and for the marks in what is found alike. Letters and
 * digits make words, everything else parts them: identifiers and paths are found by their parts. Case, accents and width
 * are folded. Scripts that are written without spaces have one word per character.
 */
type Word = { readonly text: string; readonly from: number; readonly to: number }

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const ASCII_WORD = /[a-z0-9]+/g
const NOT_ASCII = /[^\0-\x7f]/
const NOT_OF_WORDS = /[^\p{L}\p{N}]/gu

/** A line of megabytes is found by its beginning. */
const LONGEST_LINE = 10_000

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
