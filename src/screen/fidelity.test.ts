import { describe, expect, it } from 'vitest'
import { differences, dump } from '../../test/support/screen/dump.ts'
import { FEATURES } from '../../test/support/screen/features.ts'
import { restored, screenWith } from '../../test/support/screen/feed.ts'
import { utf8Encode } from '../base/utf8.ts'

/** Brings hidden state to light: tabs, character sets, the saved cursor, margins, scrolling, wrapping. */
const PROBE = `X\tY\r\nlqk\x1b[1;5H\x1b8Z\n\n\u0301\x1b[3bq\b\b${'z'.repeat(90)}`
const LEAVE = '\x1b[?1049lback'

const QUERIES =
  [4, 20].map((mode) => `\x1b[${mode}$p`).join('') +
  [1, 6, 7, 9, 12, 25, 45, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 2004, 2026, 2027].map((mode) => `\x1b[?${mode}$p`).join('') +
  '\x1bP$qm\x1b\\\x1bP$qr\x1b\\\x1bP$q q\x1b\\\x1bP$q"q\x1b\\\x1b[?u\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x07\x1b[?4m\x1b[6n\x1b[?6n\x1b[18t'

async function repliesTo(screen: Awaited<ReturnType<typeof screenWith>>): Promise<string> {
  let replies = ''
  const stop = screen.onReply((text) => {
    replies += text
  })
  await screen.feed(utf8Encode(QUERIES))
  stop()
  return replies
}

describe('a screen restored from its snapshot', () => {
  it.each(Object.entries(FEATURES))('keeps %s', async (_, output) => {
    const original = await screenWith(output)
    const copy = await restored(original)
    expect(differences(dump(original), dump(copy))).toEqual([])
    expect(copy.snapshot()).toEqual(original.snapshot())
    expect(await repliesTo(copy)).toBe(await repliesTo(original))
    for (const [moment, input] of [
      ['later', PROBE],
      ['after leaving', LEAVE],
    ] as const) {
      await original.feed(utf8Encode(input))
      await copy.feed(utf8Encode(input))
      expect({ [moment]: differences(dump(original), dump(copy)) }).toEqual({ [moment]: [] })
    }
  })
})

describe('the comparison', () => {
  it('tells every feature from an empty screen and from every other feature', async () => {
    const dumps = await Promise.all(
      Object.values(FEATURES).map(async (output) =>
        JSON.stringify({ ...dump(await screenWith(output)), replies: await repliesTo(await screenWith(output)) }),
      ),
    )
    const empty = JSON.stringify({ ...dump(await screenWith('')), replies: await repliesTo(await screenWith('')) })
    expect(dumps.filter((each) => each === empty)).toEqual([])
    expect(new Set(dumps).size).toBe(dumps.length)
  })

  it.each([
    ['an attribute', '\x1b[1mA', 'A'],
    ['an underline style', '\x1b[4:3mA', '\x1b[4mA'],
    ['a space from an empty cell', ' ', '\x1b[C'],
    ['a soft wrap from a line end', 'w'.repeat(81), `${'w'.repeat(80)}\r\nw`],
    ['a cursor behind the last column', 'w'.repeat(80), `${'w'.repeat(80)}\x1b[D\x1b[C`],
    ['a link', '\x1b]8;;a:b\x07x\x1b]8;;\x07', 'x'],
    ['what lies beneath the alternate screen', 'a\x1b[?1049h\x1b[H', 'b\x1b[?1049h\x1b[H'],
  ])('tells %s', async (_, one, other) => {
    expect(differences(dump(await screenWith(one)), dump(await screenWith(other)))).not.toEqual([])
  })
})
