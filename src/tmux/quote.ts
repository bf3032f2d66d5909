/** Text as a word of tmux's command language, byte by byte: what is not plainly harmless is written as an octal escape. */
const HARMLESS = /^[A-Za-z0-9_@%+=:,./ -]$/

const WRITTEN = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return HARMLESS.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`
})

export function quoteBytes(bytes: Uint8Array): string {
  let text = '"'
  for (const byte of bytes) text += WRITTEN[byte]
  return `${text}"`
}

export const quote = (text: string): string => quoteBytes(Buffer.from(text))

export const commandLine = (words: readonly string[]): string => words.map(quote).join(' ')

/** For options in which tmux expands formats: `#(…)` there would be run by a shell. */
export const unexpanded = (text: string): string => text.replaceAll('#', '##')
