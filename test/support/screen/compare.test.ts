import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Encode } from '../../../src/base/utf8.ts'
import { compareScreens } from './compare.ts'
import { differences, dump } from './dump.ts'
import { checkCuts } from './everyCut.ts'
import { restored, screenWith } from './feed.ts'
import type { Recording } from './recordings.ts'
import { soup } from './soup.ts'

/** Two outputs each that differ in one thing, and the part of a screen in which the comparison must find it. */
const DIFFERENT: readonly (readonly [what: string, one: string, other: string, part: RegExp])[] = [
  ['one character', 'abc', 'abd', /^normal line 0: column 2/],
  ['a space from an empty cell', ' ', '\x1b[C', /^normal line 0: column 0/],
  ['a combining mark', 'e\u0301x', 'e\u0300x', /^normal line 0: column 0/],
  ['a width', '❤️\b\bx\x1b[1;9H', '❤x\x1b[1;9H', /^normal line 0/],
  ['a foreground', '\x1b[31mA\x1b[m', '\x1b[32mA\x1b[m', /^normal line 0: column 0/],
  ['a background', '\x1b[41mA\x1b[m', '\x1b[42mA\x1b[m', /^normal line 0: column 0/],
  ['a palette colour from the same true colour', '\x1b[38;5;16mA\x1b[m', '\x1b[38;2;0;0;0mA\x1b[m', /^normal line 0/],
  ['a background of blanks', '\x1b[41m\x1b[K\x1b[m', '\x1b[42m\x1b[K\x1b[m', /^normal line 0/],
  ...['1', '2', '3', '4', '5', '7', '8', '9', '53'].map(
    (code) => [`attribute ${code}`, `\x1b[${code}mA\x1b[m`, 'A', /^normal line 0: column 0/] as const,
  ),
  ['an underline style', '\x1b[4:3mA\x1b[m', '\x1b[4mA\x1b[m', /^normal line 0/],
  ['an underline colour', '\x1b[4;58:5:1mA\x1b[m', '\x1b[4;58:5:2mA\x1b[m', /^normal line 0/],
  ['protection', '\x1b[1"qA\x1b[0"q', 'A', /^normal line 0/],
  ['a link', '\x1b]8;;a:b\x07x\x1b]8;;\x07', '\x1b]8;;a:c\x07x\x1b]8;;\x07', /^normal line 0/],
  ["a link's id", '\x1b]8;id=1;a:b\x07x\x1b]8;;\x07', '\x1b]8;id=2;a:b\x07x\x1b]8;;\x07', /^normal line 0/],
  ['an open link', '\x1b]8;;a:b\x07', '', /^pen/],
  ['a soft wrap from a line end', 'w'.repeat(81), `${'w'.repeat(80)}\r\nw`, /^normal line 1: wrapped/],
  ['a line of history', `a${'\r\n'.repeat(30)}`, `b${'\r\n'.repeat(30)}`, /^normal line 0/],
  ['the length of history', '\r\n'.repeat(30), `${'\r\n'.repeat(30)}\x1b[3J`, /^history/],
  ['what lies beneath the alternate screen', 'a\x1b[?1049h\x1b[H', 'b\x1b[?1049h\x1b[H', /^normal line 0/],
  ['a cell of the alternate screen', '\x1b[?1049ha', '\x1b[?1049hb', /^alternate line 0/],
  ['the buffer that is shown', '\x1b[?1047h', '', /^active/],
  ['a column of the cursor', '\x1b[3;4H', '\x1b[3;5H', /^cursor/],
  ['a row of the cursor', '\x1b[3;4H', '\x1b[2;4H', /^cursor/],
  ['a cursor behind the last column', 'w'.repeat(80), `${'w'.repeat(80)}\x1b[D\x1b[C`, /^cursor/],
  ['a hidden cursor', '\x1b[?25l', '', /^modes/],
  ['a cursor style', '\x1b[3 q', '\x1b[5 q', /^modes/],
  ['a blinking cursor', '\x1b[5 q', '\x1b[6 q', /^modes/],
  ['a blinking cursor by mode', '\x1b[?12h', '', /^options/],
  ['the pen', '\x1b[31m', '\x1b[1;31m', /^pen/],
  ["the pen's underline colour", '\x1b[58:5:1m', '', /^pen/],
  ['a saved column', '\x1b[1;3H\x1b7\x1b[H', '\x1b[1;4H\x1b7\x1b[H', /^saved/],
  ['a saved row', '\x1b[3H\x1b7\x1b[H', '\x1b[4H\x1b7\x1b[H', /^saved/],
  ['a saved row above the screen', `\x1b7${'\n'.repeat(40)}`, `${'\n'.repeat(30)}\x1b7${'\n'.repeat(10)}`, /^saved/],
  ['a saved pen', '\x1b[31m\x1b7\x1b[m', '\x1b7', /^saved/],
  ['a saved character set', '\x1b(0\x1b7\x1b(B', '\x1b7', /^saved/],
  ['a saved cursor of the other buffer', '\x1b[?1047h\x1b[3;3H\x1b7\x1b[H\x1b[?1047l', '', /^saved/],
  ['a top margin', '\x1b[2;9r', '\x1b[3;9r', /^margins/],
  ['a bottom margin', '\x1b[2;9r', '\x1b[2;10r', /^margins/],
  ['margins beneath the alternate screen', '\x1b[2;9r\x1b[?1049h', '\x1b[H\x1b[?1049h', /^margins/],
  ['a tab stop', '\x1b[1;5H\x1bH\x1b[H', '', /^tabs/],
  ['no tab stops', '\x1b[3g', '', /^tabs/],
  ...['(', ')', '*', '+'].map((set) => [`the set of ${set}`, `\x1b${set}0`, '', /^charsets/] as const),
  ['a shifted set', '\x0e', '', /^charsets/],
  ...[1, 6, 45, 1004, 2004, 2026].map((mode) => [`mode ${mode}`, `\x1b[?${mode}h\x1b[H`, '\x1b[H', /^modes/] as const),
  ['mode 7', '\x1b[?7l', '', /^modes/],
  ['insert mode', '\x1b[4h', '', /^modes/],
  ['newline mode', '\x1b[20h', '', /^options/],
  ['the keypad', '\x1b=', '', /^modes/],
  ...[9, 1000, 1002, 1003, 1006, 1016].map((mode) => [`mouse mode ${mode}`, `\x1b[?${mode}h`, '', /^mouse/] as const),
  ...[1005, 1015, 1034, 1035, 1036, 1039, 2027, 2031, 2048].map((mode) => [`mode ${mode}`, `\x1b[?${mode}h`, '', /^carried/] as const),
  ['mode 1007', '\x1b[?1007l', '', /^carried/],
  ['keyboard flags', '\x1b[=5;1u', '\x1b[=4;1u', /^keyboard/],
  ['the depth of the keyboard stack', '\x1b[>1u\x1b[>1u', '\x1b[>1u', /^keyboard/],
  ["the other buffer's keyboard stack", '\x1b[?1047h\x1b[>1u\x1b[?1047l', '', /^keyboard/],
  ['modified keys', '\x1b[>4;2m', '', /^keyboard/],
  ['a palette colour', '\x1b]4;1;#102030\x07', '', /^palette/],
  ['default colours', '\x1b]11;#102030\x07', '\x1b]10;#102030\x07', /^palette/],
  ['a title', '\x1b]2;a\x07', '\x1b]2;b\x07', /^title$/],
  ['a title stack', '\x1b]2;a\x07\x1b[22;2t', '\x1b]2;a\x07', /^titles/],
  ['a directory', '\x1b]7;file:///a\x07', '', /^cwd/],
  ['an unfinished sequence', 'abc\x1b[', 'abc', /^parser/],
  ['what a mark would join', 'abc', 'abc\x1b[m', /^parser/],
]

describe('the comparison of screens', () => {
  it.each(DIFFERENT)('tells %s', async (_, one, other, part) => {
    const [a, b] = [await screenWith(one), await screenWith(other)]
    expect(compareScreens(a, b).filter((found) => part.test(found))).not.toEqual([])
    expect(compareScreens(a, await screenWith(one))).toEqual([])
    expect(differences(dump(a), dump(b))).not.toEqual([])
  })

  it('tells the colours of an empty cell only where bits count', async () => {
    const [a, b] = [await screenWith('\x1b[31m日\x1b[1;2HX'), await screenWith('\x1b[1C\x1b[31mX')]
    expect(compareScreens(a, b)).toEqual([])
    expect(compareScreens(a, b, 'bits')).not.toEqual([])
  })

  it('tells a size', async () => {
    expect(compareScreens(await screenWith(''), await screenWith('', { cols: 81, rows: 24 }))).toContain('size')
  })

  it('finds as much in words as in text, in whatever output', async () => {
    const SMALL = { cols: 20, rows: 8 }
    let different = 0
    await fc.assert(
      fc.asyncProperty(soup, soup, fc.boolean(), async (one, more, same) => {
        const [a, b] = [await screenWith(one, SMALL), await screenWith(same ? one : one + more, SMALL)]
        const slow = differences(dump(a), dump(b))
        if (slow.length > 0) different++
        expect(compareScreens(a, b).length === 0).toBe(slow.length === 0)
      }),
      { numRuns: 200 },
    )
    expect(different).toBeGreaterThan(30)
  })
})

describe('the check of every cut', () => {
  const recording = (text: string, resizes: Recording['resizes'] = []): Recording => ({
    name: 'made up',
    cols: 20,
    rows: 4,
    resizes,
    bytes: utf8Encode(text),
  })

  it('looks at each byte, and on both sides of a resize', async () => {
    const report = await checkCuts(recording('ab\x1b[31mc\r\nd…', [{ at: 4, cols: 10, rows: 3 }]))
    expect(report).toMatchObject({ cuts: 16, wrong: [] })
    expect(report.screens).toBeLessThan(report.cuts)
  })

  it('looks at some bytes where it is told so', async () => {
    expect((await checkCuts(recording('0123456789'), { stride: 4 })).cuts).toBe(4)
  })

  it('finds a cut whose snapshot is not the screen', async () => {
    const wrong = await checkCuts(recording('one two three'), {
      spoil: (snapshot) => (snapshot.seq === 5 ? { ...snapshot, engine: { ...snapshot.engine, cursorHidden: true } } : snapshot),
    })
    expect(wrong.wrong.map(({ at, differences: found }) => [at, ...found])).toEqual([[5, 'modes']])
  })
})

it('restores a screen into one that was in use before', async () => {
  const busy = await screenWith('\x1b[?1049h\x1b[31m\x1b[?25l\x1b]4;1;#102030\x07\x1b[>5u\x1b]2;busy\x07\x1b[3;9r\x1b(0rest')
  const original = await screenWith('plain')
  await busy.restore(original.snapshot())
  expect(compareScreens(original, busy)).toEqual([])
  expect(compareScreens(original, await restored(busy))).toEqual([])
})
