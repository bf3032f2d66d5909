import { expect, test } from 'vitest'
import { goodText } from './checkpoint.ts'

test.each([
  [true, 3, 'good'],
  [false, 0, 'empty'],
  [false, 3, 'not whole'],
])('a checkpoint that is good or not (%s) with %d terminals is "%s"', (knownGood, terminalCount, text) =>
  expect(goodText({ knownGood, terminalCount })).toBe(text),
)
