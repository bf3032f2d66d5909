import process from 'node:process'
import { expect, it } from 'vitest'
import { screenWith } from '../../../test/support/screen/feed.ts'
import { widths } from './widths.ts'
import { PICTOGRAPHS, WIDE, ZERO_WIDTH } from './widthTables.ts'

it.each([
  ['a letter', 'a', 1],
  ['a rocket', '🚀', 2],
  ['a face of Unicode 14', '\u{1fae0}', 2],
  ['an ideograph', '日', 2],
  ['a rare ideograph', '\u{20000}', 2],
  ['a fullwidth letter', 'Ａ', 2],
  ['a Hangul syllable', '한', 2],
  ['Hangul from its parts', '\u1112\u1161\u11ab', 2],
  ['a letter and an accent', 'e\u0301', 1],
  ['a woman at her laptop', '👩‍💻', 2],
  ['a family', '👨‍👩‍👧‍👦', 2],
  ['a heart as text', '❤', 1],
  ['a heart as emoji', '❤️', 2],
  ['a burning heart', '❤️‍🔥', 2],
  ['a keycap', '1️⃣', 2],
  ['a thumb with a skin tone', '👍🏽', 2],
  ['a skin tone alone', '🏽', 2],
  ['a runner with everything', '🏃🏽‍♀️', 2],
  ['a flag', '🇩🇪', 2],
  ['two flags', '🇩🇪🇫🇷', 4],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 2],
  ['two emoji side by side', '👩💻', 4],
  ['a joiner between letters', 'a\u200db', 2],
  ['a box', '┃', 1],
  ['an ambiguous arrow', '→', 1],
  ['a soft hyphen', '\u00ad', 1],
])('%s takes its columns', async (_, text, columns) => {
  expect((await screenWith(text)).cursor.x).toBe(columns)
})

it('never lets one cell grow without bound', async () => {
  const screen = await screenWith(`a${'\u0301'.repeat(100_000)}`)
  for (const { text } of screen.json().lines) expect(text.length).toBeLessThan(80 * 50)
})

function codePoints(ranges: string): Set<number> {
  const all = new Set<number>()
  for (const range of ranges.trim().split(/\s+/)) {
    const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16))
    for (let at = first; at <= last; at++) all.add(at)
  }
  return all
}

/** Takes a column in spite of its category: soft hyphen and the Arabic signs that enclose what follows. */
const COLUMN_IN_SPITE = /[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u

it.skipIf(Number(process.versions['unicode']) > 17).each([
  ['zero width', ZERO_WIDTH, (text: string) => /[\p{Mn}\p{Me}\p{Cf}]/u.test(text) && !COLUMN_IN_SPITE.test(text)],
  ['pictographs', PICTOGRAPHS, (text: string) => /\p{Extended_Pictographic}/u.test(text)],
  ['wide emoji', WIDE, (text: string) => /\p{Emoji_Presentation}/u.test(text) && !/\p{Regional_Indicator}/u.test(text)],
])('knows all %s that this runtime knows (skipped where it is of a later Unicode version)', (_, table, belongs) => {
  const known = codePoints(table)
  const missing: string[] = []
  for (let at = 0x80; at < 0x20000; at++) {
    if (at >= 0xd800 && at < 0xe000) continue
    const text = String.fromCodePoint(at)
    if (belongs(text) && !known.has(at)) missing.push(at.toString(16))
  }
  expect(missing).toEqual([])
})

it('gives every code point a width from 0 to 2', () => {
  const odd = Array.from({ length: 0x110000 }, (_, at) => at).filter((at) => ![0, 1, 2].includes(widths.wcwidth(at)))
  expect(odd).toEqual([])
})
