/** How many columns a text takes: the same answer as the screens give, but plain text need not load their tables. */
const PLAIN = /^[\x20-\x7e…]*$/

export async function textWidthFor(texts: readonly string[]): Promise<(text: string) => number> {
  if (texts.every((text) => PLAIN.test(text))) return (text) => text.length
  const { widths } = await import('../screen/widths.ts')
  return (text) => {
    let columns = 0
    let state = 0
    let cell = 0
    for (const character of text) {
      state = widths.charProperties(character.codePointAt(0) ?? 0, state)
      const joins = (state & 1) === 1
      if (!joins) columns += cell
      cell = (state >> 1) & 3
    }
    return columns + cell
  }
}
