import { expect, test } from 'vitest'
import { isPlainShell } from './plainShell.ts'

test.each([['zsh'], ['/bin/bash', '--norc', '-l'], ['-bash'], ['bash', '--rcfile', '/etc/mine'], ['fish', '-i'], ['sh', '-o', 'vi']])(
  'a shell without anything to do is at its prompt: %s %s',
  (...argv) => expect(isPlainShell(argv)).toBe(true),
)

test.each([['sh', '-c', 'exec sleep 300'], ['bash', '-lc', 'npm test'], ['zsh', './deploy'], ['node'], ['bash', '-s', 'x'], []])(
  'one with a text or a script is that program, and others are no shells: %s %s',
  (...argv) => expect(isPlainShell(argv)).toBe(false),
)
