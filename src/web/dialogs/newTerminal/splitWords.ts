/** A line of words as a shell would split it: quotes and backslashes, nothing else. Nothing is expanded and nothing is run. Pure. */
export type Split = { readonly ok: true; readonly words: readonly string[] } | { readonly ok: false; readonly why: string }

type Quote = '"' | "'" | null

export function splitWords(text: string): Split {
  const words: string[] = []
  let word: string | null = null
  let quote: Quote = null
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const isEscape = letter === '\\' && (quote === null || (quote === '"' && /["\\$`]/.test(text.charAt(at + 1))))
    if (isEscape) {
      if (at + 1 === text.length) return { ok: false, why: 'The backslash at the end needs a character after it.' }
      word = (word ?? '') + text.charAt(++at)
    } else if (letter === quote) quote = null
    else if (quote === null && (letter === '"' || letter === "'")) {
      quote = letter
      word ??= ''
    } else if (quote === null && /\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + letter
  }
  if (quote !== null) return { ok: false, why: `A ${quote === '"' ? 'double' : 'single'} quote is not closed.` }
  return { ok: true, words: word === null ? words : [...words, word] }
}

/** Signs that a shell would act upon, where no shell is asked. */
export const needsShell = (text: string): boolean => /[|<>;&]|\$[({A-Za-z_]|`/.test(text.replace(/'[^']*'|\\./g, ''))
