/** What a program says to the clipboard (OSC 52). Pure. */

/** The text that it wants to put there; null for a question, which is never answered, and for what is no text. */
export function clipboardTextOf(data: string): string | null {
  const [, content] = data.split(';', 2)
  if (content === undefined || content === '' || content === '?') return null
  try {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text === '' ? null : text
  } catch {
    return null // not base64, or not UTF-8: nothing that could be copied as text
  }
}
