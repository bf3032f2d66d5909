import { expect, test } from 'vitest'
import { needsShell, splitWords } from './splitWords.ts'

const words = (text: string) => {
  const split = splitWords(text)
  return split.ok ? split.words : split.why
}

test('words are split as a shell would, and nothing is expanded', () => {
  expect(words('  npm  run dev ')).toEqual(['npm', 'run', 'dev'])
  expect(words(`--say "two words" 'and $HOME' plain`)).toEqual(['--say', 'two words', 'and $HOME', 'plain'])
  expect(words(String.raw`a\ b "q\"q" "c\d" 'e\f'`)).toEqual(['a b', 'q"q', String.raw`c\d`, String.raw`e\f`])
  expect(words(`pre"fix"'ed' "" ''`)).toEqual(['prefixed', '', ''])
  expect(words('')).toEqual([])
})

test('what is not finished is told, never guessed', () => {
  expect(words('say "hello')).toBe('A double quote is not closed.')
  expect(words("it's")).toBe('A single quote is not closed.')
  expect(words('end\\')).toContain('backslash')
})

test('what only a shell understands is seen', () => {
  expect(['a | b', 'a > b', 'a && b', 'echo $HOME', 'echo $(date)', 'a; b'].map(needsShell)).toEqual(Array(6).fill(true))
  expect(["echo '$HOME | x'", 'echo \\$HOME', 'price 5$', 'plain words'].map(needsShell)).toEqual(Array(4).fill(false))
})
