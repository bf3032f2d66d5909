import fc from 'fast-check'
import { utf8Encode } from '../../../src/base/utf8.ts'

/** Random program output: text of all widths, and escape sequences of all kinds, sensible and not. */
const small = fc.integer({ min: 0, max: 30 })
const pick = (...values: string[]) => fc.constantFrom(...values)

const text = pick(
  'a',
  'hello ',
  'wide 日本語 ',
  'e\u0301',
  '👩‍💻',
  '🇩🇪',
  '❤️',
  '\u0301',
  '\u200d',
  '…—',
  '。',
  'x'.repeat(37),
  'y'.repeat(90),
  '\ufe0f',
  '💻',
  '1',
  '한국',
)
const control = pick('\r', '\n', '\r\n', '\t', '\b', '\x0e', '\x0f', '\x07', '\x0b', '\x7f', '\x18', '\u0085', '\u009b5C')
const sgr = fc
  .array(
    pick(
      '0',
      '1',
      '2',
      '3',
      '4',
      '4:3',
      '5',
      '7',
      '8',
      '9',
      '21',
      '24',
      '27',
      '31',
      '44',
      '97',
      '105',
      '38;5;123',
      '48;2;1;2;3',
      '58:5:7',
      '59',
      '53',
      '39',
      '49',
    ),
    { minLength: 0, maxLength: 3 },
  )
  .map((codes) => `\x1b[${codes.join(';')}m`)
const move = fc.tuple(small, small, pick('A', 'B', 'C', 'D', 'G', 'H', 'd', 'I', 'Z')).map(([a, b, final]) => `\x1b[${a};${b}${final}`)
const edit = fc
  .tuple(fc.integer({ min: 0, max: 3 }), pick('J', 'K', 'X', 'P', '@', 'L', 'M', 'S', 'T', 'b', '?J', '?K'))
  .map(([count, final]) => (final.startsWith('?') ? `\x1b[?${count}${final.slice(1)}` : `\x1b[${count}${final}`))
const mode = fc
  .tuple(
    pick(
      '1',
      '6',
      '7',
      '12',
      '25',
      '45',
      '47',
      '1000',
      '1002',
      '1004',
      '1006',
      '1007',
      '1003',
      '1016',
      '1047',
      '1048',
      '1049',
      '2004',
      '2026',
      '2027',
    ),
    pick('h', 'l'),
  )
  .map(([number, final]) => `\x1b[?${number}${final}`)
const other = pick(
  '\x1b7',
  '\x1b8',
  '\x1bM',
  '\x1bD',
  '\x1bE',
  '\x1bH',
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b[3g',
  '\x1b=',
  '\x1b[2 q',
  '\x1b[!p',
  '\x1b[1"q',
  '\x1b[0"q',
  '\x1b#8',
  "\x1b[2'}",
  '\x1b[>3u',
  '\x1b[<u',
  '\x1b[=3;1u',
  '\x1b[>4;1m',
  '\x1b[20h',
  '\x1b[20l',
  '\x1b*A',
  '\x1bn',
  '\x1b[5 q',
  '\x1b[3J',
  '\x1b[22;0t',
  '\x1b[23;0t',
  '\x1b[2 @',
  '\x1b[1 A',
  '\x1b[4h日本',
  '\x1b[9999b',
  '\x1bc',
)
const osc = pick(
  '\x1b]2;title\x07',
  '\x1b]8;;http://a.b\x1b\\',
  '\x1b]8;;\x1b\\',
  '\x1b]8;id=x;http://a.b\x1b\\',
  '\u009d8;;mailto:c\u009c',
  '\x1b]11;#405060\x07',
  '\x1b]4;3;#102030\x07',
  '\x1b]7;file:///tmp\x07',
  '\x1b]104\x07',
  '\x1bPq#0;2;0;0;0\x1b\\',
  '\x1b_Gabc\x1b\\',
)
const margins = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 12 })).map(([top, bottom]) => `\x1b[${top};${bottom}r`)
const torn = pick('\x1b', '\x1b[', '\x1b[3', '\x1b[3\n', '\x1b]2;ti', '\x1bP', '\x1b(')

export const soup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: text },
      { weight: 3, arbitrary: control },
      { weight: 3, arbitrary: sgr },
      { weight: 3, arbitrary: move },
      { weight: 3, arbitrary: edit },
      { weight: 2, arbitrary: mode },
      { weight: 2, arbitrary: other },
      { weight: 1, arbitrary: osc },
      { weight: 1, arbitrary: margins },
      { weight: 1, arbitrary: torn },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

export const pieces: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })

/** Bytes with damage: UTF-8 cut and overwritten anywhere. */
export const brokenBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(soup, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }))
  .map(([text, damages]) => {
    const bytes = utf8Encode(text)
    for (const [at, byte] of damages) if (bytes.length > 0) bytes[at % bytes.length] = byte
    return bytes
  })
