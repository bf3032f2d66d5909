/**
 * Cuts output into pieces that scroll a screen by a bounded number of lines: a search for a text between them sees
 * every line before it leaves the scrollback.
 */
const LINE_FEED = 0x0a
const FORM_FEED = 0x0c // as the vertical tab between them, it moves down like a line feed

/** A line feed moves by one line, and so does every `cols` bytes at most, where the line wraps. */
export function* byLines(bytes: Uint8Array, { lines, cols }: { readonly lines: number; readonly cols: number }): Generator<Uint8Array> {
  let from = 0
  let moved = 0
  let column = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    column += 1
    if (column < cols && (byte < LINE_FEED || byte > FORM_FEED)) continue
    column = 0
    moved += 1
    if (moved < lines) continue
    yield bytes.subarray(from, at + 1)
    from = at + 1
    moved = 0
  }
  if (from < bytes.length) yield bytes.subarray(from)
}
