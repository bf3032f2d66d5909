/**
 * Going on after bytes that are gone. What was unfinished before them must not be finished by what comes after, and what
 * comes after may begin inside a sequence or a character that nobody can complete any more.
 */
import { utf8Encode } from '../base/utf8.ts'

/** Ends any sequence that was cut in two, and returns to plain text. Modes stay: programs set them once and draw ever after. */
export const AFTER_GAP = utf8Encode('\x18\x1b[m\x0f\x1b(B')

/** No control sequence that means anything is longer; text without a single control character is no part of one. */
const SEQUENCE_BYTES = 4_096
const FIRST_PRINTABLE = 0x20

/** How many bytes at the beginning may be the rest of something: a character, or a sequence up to the next control character. */
export function restOfSomething(bytes: Uint8Array): number {
  const control = bytes.subarray(0, SEQUENCE_BYTES).findIndex((byte) => byte < FIRST_PRINTABLE)
  if (control >= 0) return control
  const whole = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return whole < 0 ? bytes.length : whole
}
