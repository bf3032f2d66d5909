import { expect, test } from 'vitest'
import { utf8Encode } from '../base/utf8.ts'
import { isTyped } from './typed.ts'

test.each(['a', '\r', '\x1b', '\x1b[A', '\x1bOA', '\x1bx', '\x1b[200~pasted\x1b[201~', '\x1b[Ix', '\x1b[<0;3;4Mq', 'é', '\x1b[48;5'])(
  '%j is typed',
  (text) => expect(isTyped(utf8Encode(text))).toBe(true),
)

test.each([
  '',
  '\x1b[I',
  '\x1b[O\x1b[I',
  '\x1b[<35;10;12M\x1b[<35;11;12M',
  '\x1b[<0;3;4m',
  '\x1b[M !!',
  '\x1b[?997;1n',
  '\x1b[48;24;80;480;800t',
])('%j is what a terminal reports by itself', (text) => expect(isTyped(utf8Encode(text))).toBe(false))

test('a huge paste is typed', () => expect(isTyped(utf8Encode('\x1b[I'.repeat(10_000)))).toBe(true))
