import { expect, it } from 'vitest'
import { asOneLine, cleanPaste, judgePaste } from './pasting.ts'

const shell = { isBracketed: false, isGuarded: true }
const editor = { isBracketed: true, isGuarded: true }

it('one line of text is pasted as it is', () => {
  expect(judgePaste('echo\thello ünïcödé 🙂', shell)).toEqual({ kind: 'paste', text: 'echo\thello ünïcödé 🙂' })
})

it('lines that a shell would run are asked about first, also a single one that ends', () => {
  expect(judgePaste('a\nb\r\nc\n', shell)).toEqual({
    kind: 'ask',
    question: { text: 'a\nb\nc\n', lines: 3, characters: 6, hidden: 0, preview: ['a', 'b', 'c', ''] },
  })
  expect(judgePaste('rm -rf x\n', shell)).toMatchObject({ kind: 'ask', question: { lines: 1 } })
})

it('a program that takes pastes as such gets lines without a question, unless something was hidden in them', () => {
  expect(judgePaste('a\nb', editor)).toEqual({ kind: 'paste', text: 'a\nb' })
  expect(judgePaste('a\x1b[201~\nrm', editor)).toMatchObject({ kind: 'ask', question: { text: 'a\nrm', hidden: 6 } })
})

it('without the guard nothing is asked, but keys hidden in the text are taken out all the same', () => {
  expect(judgePaste('a\x03\x1b[200~\nb\x9b201~\x7f', { isBracketed: false, isGuarded: false })).toEqual({ kind: 'paste', text: 'a\nb' })
})

it('no end of a bracketed paste can be put together from what is left', () => {
  for (const hostile of ['\x1b[20\x1b[201~1~', '\x1b\x1b[201~[201~', '\x1b[2\x0001~', '\x9b20\x9b201~1~'])
    expect(cleanPaste(hostile).text).not.toMatch(/[\x1b\x9b]/)
})

it('a preview is short, whatever is pasted', () => {
  const paste = judgePaste(`${'x'.repeat(5_000_000)}\n${'y\n'.repeat(100)}`, shell)
  if (paste.kind !== 'ask') throw new Error('it was not asked')
  expect(paste.question.preview.join('').length).toBeLessThan(2_000)
  expect(paste.question.lines).toBe(101)
})

it('lines become one with a space between them', () => {
  expect(asOneLine('  make \\\n\n  install\n')).toBe('make \\ install')
})
