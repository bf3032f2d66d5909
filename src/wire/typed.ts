/**
 * What reaches a program as input is not all typed: terminals also report where the mouse is, that a window got the focus,
 * or that it changed its size. The user has typed nothing then.
 */
const ESCAPE = 0x1b
/** Ends a line: what was typed is given to the program. */
export const ENTER = 0x0d
const LONGEST_REPORTS_BYTES = 4096 // more than that at once is a paste

/** Focus; mouse as numbers, and in three bytes; the system's colours; a window's own size. */
const REPORTS = /\x1b\[(?:[IO]|<[\d;]+[Mm]|M[\s\S]{3}|\?997;\d+n|48;[\d;:]+t)/g

export function isTyped(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false
  if (bytes[0] !== ESCAPE || bytes.length > LONGEST_REPORTS_BYTES) return true
  return String.fromCharCode(...bytes).replace(REPORTS, '') !== ''
}
