/** A snapshot is sent to clients and kept again and again; of a longer history the oldest part is left to the log. */
export const MAX_SNAPSHOT_BYTES = 4 << 20

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
