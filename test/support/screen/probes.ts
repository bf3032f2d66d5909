import { utf8Encode } from '../../../src/base/utf8.ts'
import type { Screen } from '../../../src/screen/screen.ts'

/** What brings hidden state to light, one after the other: tabs, character sets, the saved cursor, margins, scrolling, wrapping, cells that a mark joins. */
export const PROBES: Readonly<Record<string, string>> = {
  'under a mark': '\u0301',
  later: `X\tY\r\nlqk\x1b[1;5H\x1b8Z\n\n\u0301\x1b[3bq\b\b${'z'.repeat(90)}`,
  'after leaving': '\x1b[?1049lback',
  'without history': '\x1b[3J\x1b8x',
  'on the alternate screen again': '\x1b[?1049h\x1b8y\tz',
}

const QUERIES =
  [4, 20].map((mode) => `\x1b[${mode}$p`).join('') +
  [1, 6, 7, 9, 12, 25, 45, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 2004, 2026, 2027].map((mode) => `\x1b[?${mode}$p`).join('') +
  '\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$q q\x1b\\\x1bP$q"q\x1b\\\x1b[?u\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x07\x1b[?4m\x1b[6n\x1b[?6n\x1b[18t'

/** What the screen answers to everything that a program can ask about its state. */
export async function repliesTo(screen: Screen): Promise<string> {
  let replies = ''
  const stop = screen.onReply((text) => {
    replies += text
  })
  await screen.feed(utf8Encode(QUERIES))
  stop()
  return replies
}
