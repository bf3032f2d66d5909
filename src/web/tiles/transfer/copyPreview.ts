/** A text as it can be shown before it is copied: bounded, and with everything in it that would otherwise not be seen. Pure. */

export type CopyPreview = {
  readonly preview: string
  readonly characters: number
  readonly lines: number
  /** How many of its characters the preview shows. */
  readonly shown: number
}

const MOST_SHOWN = 2_000
/** Controls, directions, joiners, spaces that are none, and whatever else has no shape of its own. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu

export function previewCopy(text: string): CopyPreview {
  const head = [...text.slice(0, 2 * MOST_SHOWN)].slice(0, MOST_SHOWN)
  const { characters, lines } = counted(text)
  return { preview: head.join('').replace(UNSEEN, visible), characters, lines, shown: Math.min(characters, MOST_SHOWN) }
}

function visible(character: string): string {
  if (character === '\n') return '↵\n'
  if (character === '\t') return '⇥\t'
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** One by one, since it may be long. The end of the last line is no line of its own. */
function counted(text: string): { readonly characters: number; readonly lines: number } {
  let [characters, ends] = [0, 0]
  for (const character of text) {
    characters += 1
    if (character === '\n') ends += 1
  }
  return { characters, lines: text.endsWith('\n') ? ends : ends + 1 }
}
