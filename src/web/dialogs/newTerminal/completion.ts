/** What Tab makes of a path that has been begun. Pure. */

/** As far as all suggestions agree; null where nothing can be added. */
export function completed(text: string, suggestions: readonly string[]): string | null {
  const [only, ...others] = suggestions
  if (only === undefined) return null
  const agreed = others.length === 0 ? `${only.replace(/\/$/, '')}/` : suggestions.reduce(shared)
  // The home directory may be written as ~, which the suggestions spell out.
  const isLonger = agreed.length > text.length || !agreed.startsWith(text.slice(0, agreed.length))
  return isLonger && agreed !== text ? agreed : null
}

function shared(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

/** The next one of a list that is gone through with arrow keys; -1 stands for the text itself. */
export const stepped = (at: number, by: 1 | -1, count: number): number => ((at + 1 + by + count + 1) % (count + 1)) - 1
