import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchOf, parseSearch, spansIn, wordsOf } from './searchQuery.ts'

const texts = (line: string): string[] => wordsOf(line).map(({ text }) => text)
const found = (line: string, query: string): string[] | null =>
  spansIn(line, parseSearch(query))?.map(({ from, to }) => line.slice(from, to)) ?? null

describe('the words of a line', () => {
  test.each([
    [
      'identifiers and paths fall into their parts',
      '/usr/lib/foo_bar-2.so: no_such',
      ['usr', 'lib', 'foo', 'bar', '2', 'so', 'no', 'such'],
    ],
    ['case and accents are folded', 'ÜBER Größe café Ångström', ['uber', 'große', 'cafe', 'angstrom']],
    ['letters that are written apart are the same', 'cafe\u0301', ['cafe']],
    ['wide letters are plain ones', 'ＥＲＲＯＲ １２', ['error', '12']],
    ['scripts without spaces have one word per character', '日本語 text テキ', ['日', '本', '語', 'text', 'テ', 'キ']],
    [
      'other scripts are words',
      'ошибка Ошибка 오류',
      ['ошибка', 'ошибка', '오류'].map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '')),
    ],
    ['signs and pictures are none', '✅ → ─── \u{1f600}', []],
  ])('%s', (_, line, words) => expect(texts(line)).toEqual(words))

  test('stand where they say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (line) => {
        for (const { text, from, to } of wordsOf(line)) expect(texts(line.slice(from, to))).toEqual([text])
      }),
    )
  })
})

describe('a query', () => {
  const line = 'fatal: cannot open /var/log/app_server.log: Permission denied (errno 13)'

  test.each([
    ['all words, in any order', 'denied fatal', ['fatal', 'denied']],
    ['a word that is not there', 'fatal nowhere', null],
    ['words in their order', '"permission denied"', ['Permission denied']],
    ['words in another order', '"denied permission"', null],
    ['the beginning of a word', 'perm*', ['Permission']],
    ['a part that is no beginning', 'mission', null],
    ['a path by its parts', 'var/log', ['var/log']],
    ['a path in another order', 'log/var', null],
    ['an identifier', 'app_server', ['app_server']],
    ['half an identifier', 'server', ['server']],
    ['the beginning of a phrase’s last word', '"cannot op"*', ['cannot open']],
    ['a quotation mark without its partner', '"permission den', null],
    ['the same word twice', 'errno errno', ['errno']],
  ])('finds %s', (_, query, spans) => expect(found(line, query)).toEqual(spans))

  test.each(['', '   ', '"', '""', '***', '-- ( ) :', 'ʼ\u0301'.slice(1)])('of no word has no term: %j', (query) =>
    expect(parseSearch(query)).toEqual([]),
  )

  test('is made of letters and digits only, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        for (const { words } of parseSearch(query)) for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u)
        expect(matchOf(parseSearch(query)).replace(/"[\p{L}\p{N} ]+"( \*)?( AND )?/gu, '')).toBe('')
      }),
    )
  })

  test('that is a piece of the line itself finds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const terms = parseSearch(`"${text.replaceAll('"', ' ')}"`)
        if (terms.length > 0) expect(spansIn(`before ${text.replaceAll('"', ' ')} after`, terms)).not.toBeNull()
      }),
    )
  })
})
