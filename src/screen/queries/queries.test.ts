import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences, dump } from '../../../test/support/screen/dump.ts'
import { pieces, soup } from '../../../test/support/screen/soup.ts'
import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import { createEngine } from '../engine/engine.ts'
import { joinBytes } from '../engine/safeCut.ts'
import { createScreen } from '../screen.ts'
import { createQueryFilter, muteQueries } from './queries.ts'

const QUERIES = [
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[>0c',
  '\x1b[=c',
  '\x1bZ',
  '\x1b[5n',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[?996n',
  '\x1b[4$p',
  '\x1b[?2026$p',
  '\x1b[>q',
  '\x1b[>0q',
  '\x1b[?u',
  '\x1b[?4m',
  '\x1b[14t',
  '\x1b[18t',
  '\x1b[21t',
  '\x1b]4;0;?\x07',
  '\x1b]10;?\x1b\\',
  '\x1b]11;?\x07',
  '\x1b]12;?\x07',
  '\x1b]52;c;?\x07',
  '\x1b]7501;?\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1bP+q4d73\x1b\\',
  '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\',
  '\x1b]1337;Capabilities\x07',
  '\x1b]99;i=1:p=?;\x1b\\',
]
const NOT_QUERIES = [
  'text',
  '\x1b[31m',
  '\x1b[2;3H',
  '\x1b[22;0t',
  '\x1b[8;24;80t',
  '\x1b[2 q',
  '\x1b[u',
  '\x1b[>1u',
  '\x1b[>4;2m',
  '\x1b]0;what?\x07',
  '\x1b]8;;http://a?\x1b\\',
  '\x1b]4;1;#fff\x07',
  '\x1b]11;#000000\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b(B',
  '\x1b7',
  '\x1bPq#0\x1b\\',
  '\x1b_Ga=t;AAAA\x1b\\',
  '日本',
  '\x1b[?25l',
  '\x1b[!p',
  '\x1b[1"q',
]

/** The same with the control characters of the second set, which are one character instead of two. */
const inC1 = (output: string): string =>
  output.replace(/\x1b([P\\X^_Z[\]])/g, (_, second: string) => String.fromCharCode(second.charCodeAt(0) + 0x40))

const filtered = (...chunks: (string | Uint8Array)[]): string => {
  const filter = createQueryFilter()
  const shown = chunks.map((chunk) => filter(typeof chunk === 'string' ? utf8Encode(chunk) : chunk))
  return utf8Decode(joinBytes(...shown, filter.flush()))
}

const inPieces = (bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] => {
  const cut: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; at += sizes[turn++ % sizes.length]!)
    cut.push(bytes.slice(at, at + sizes[turn % sizes.length]!))
  return cut
}

const mixedWith = (after: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...QUERIES, ...QUERIES.map(inC1)).map((query) => query + after),
        soup,
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
const mixed = mixedWith('')
/** Any sequence keeps the characters around it from joining, and a character from being repeated: so it must not be the query alone. */
const separated = mixedWith('\x1b[27m')

describe('the query filter', () => {
  it.each(QUERIES)('takes out %j', (query) => {
    expect(filtered(`a${query}b`)).toBe('ab')
  })

  it.each(QUERIES.map(inC1))('takes out %j', (query) => {
    expect(filtered(`a${query}b`)).toBe('ab')
  })

  it.each([...NOT_QUERIES, ...NOT_QUERIES.map(inC1)])('leaves %j', (output) => {
    expect(filtered(`a${output}b`)).toBe(`a${output}b`)
  })

  it('takes out the byte that some terminals answer with a text of their own', () => {
    expect(filtered('a\x05b')).toBe('ab')
  })

  it('passes on a chunk without escape sequences as it is', () => {
    const chunk = utf8Encode('just text\r\n')
    expect(createQueryFilter()(chunk)).toBe(chunk)
  })

  it('passes on text while a long string is unfinished, and strings longer than any query', () => {
    const filter = createQueryFilter()
    expect(utf8Decode(filter(utf8Encode('\x1b]0;a title')))).toBe('\x1b]0;a title')
    expect(utf8Decode(createQueryFilter()(utf8Encode(`\x1b]52;c;${'A'.repeat(300)}`)))).toBe(`\x1b]52;c;${'A'.repeat(300)}`)
    expect(createQueryFilter()(utf8Encode(`\x1b[${'1;'.repeat(40)}`))).toHaveLength(0)
  })

  it('ends a string that a query had ended', () => {
    expect(filtered('\x1b]0;title\x1b[cafter')).toBe('\x1b]0;title\x1b\\after')
    expect(filtered('\x1b[3\x1b[cm')).toBe('\x1b[3\x1b\\m')
  })

  it('keeps control characters inside a query', () => {
    expect(filtered('a\x1b[\n6nb')).toBe('a\nb')
  })

  it('does the same however the bytes are cut into pieces', () => {
    fc.assert(
      fc.property(mixed, pieces, (output, sizes) => {
        expect(filtered(...inPieces(utf8Encode(output), sizes))).toBe(filtered(output))
      }),
      { numRuns: 1000 },
    )
  })

  it('changes nothing on the screen, and leaves nothing to answer', async () => {
    await fc.assert(
      fc.asyncProperty(separated, async (output) => {
        const [whole, clean] = [createScreen({ cols: 20, rows: 8 }), createScreen({ cols: 20, rows: 8 })]
        const answers: string[] = []
        clean.onReply((text) => answers.push(text))
        await whole.feed(utf8Encode(`${output}\x18`))
        await clean.feed(utf8Encode(`${filtered(output)}\x18`))
        expect(differences(dump(whole), dump(clean))).toEqual([])
        expect(answers).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('a muted terminal', () => {
  it('draws everything and answers nothing', () => {
    const engine = createEngine({ cols: 20, rows: 5, scrollback: 10 })
    muteQueries(engine.terminal)
    const answers: string[] = []
    engine.terminal.onData((text) => text !== '' && answers.push(text))
    engine.write(`${QUERIES.join('x')}\x1b]4;1;#fff\x07done`, () => {})
    expect(answers).toEqual([])
    expect(engine.terminal.buffer.active.getLine(1)?.translateToString(true)).toContain('done')
  })

  it('answers when it is not muted', () => {
    const engine = createEngine({ cols: 20, rows: 5, scrollback: 10 })
    const answers: string[] = []
    engine.terminal.onData((text) => text !== '' && answers.push(text))
    engine.write('\x1b[c\x1b[6n', () => {})
    expect(answers).toHaveLength(2)
  })
})
