/** A literal text to search for; capitals make it case-sensitive. */
export type Pattern = { readonly text: string; readonly anyCase: boolean }

export type Range = { readonly from: number; readonly to: number }

export function patternOf(text: string): Pattern {
  const anyCase = text === lower(text)
  return { text, anyCase }
}

export const hasMatch = (text: string, pattern: Pattern): boolean => folded(text, pattern).includes(pattern.text)

export function matchesIn(text: string, pattern: Pattern): readonly Range[] {
  const subject = folded(text, pattern)
  const found: Range[] = []
  for (let at = subject.indexOf(pattern.text); at >= 0; at = subject.indexOf(pattern.text, at + pattern.text.length))
    found.push({ from: at, to: at + pattern.text.length })
  return found
}

const folded = (text: string, { anyCase }: Pattern): string => (anyCase ? lower(text) : text)

/** Positions in the text must not shift, so a character whose lower case has another length keeps its case. */
function lower(text: string): string {
  const all = text.toLowerCase()
  if (all.length === text.length) return all
  return Array.from(text, (character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character)).join(
    '',
  )
}
