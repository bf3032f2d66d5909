import { expect, test } from 'vitest'
import { goodText, sizeText } from './words.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [10_240, '10 KiB'],
  [5_500_000, '5.2 MiB'],
  [3 * 1024 ** 4, '3072 GiB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))

test.each([
  [true, 3, 'good'],
  [false, 0, 'empty'],
  [false, 3, 'not whole'],
])('a checkpoint that is good or not (%s) with %d terminals is "%s"', (knownGood, terminalCount, text) =>
  expect(goodText({ knownGood, terminalCount })).toBe(text),
)
