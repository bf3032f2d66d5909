import { expect, test } from 'vitest'
import { ageText, sizeText } from './format.ts'

test('tells ages in the largest whole unit', () => {
  expect([0, 999, 1_000, 59_999, 60_000, 3_600_000, 90_000_000, 8e8].map(ageText)).toEqual([
    '0s',
    '0s',
    '1s',
    '59s',
    '1m',
    '1h',
    '1d',
    '9d',
  ])
  expect(ageText(-5)).toBe('0s')
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [10_240, '10 KiB'],
  [5_500_000, '5.2 MiB'],
  [3 * 1024 ** 4, '3072 GiB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
