import { expect, test } from 'vitest'
import { median, percentile, spread } from './statistics.mjs'

test('the median of an even number of samples lies between the middle two', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('a percentile is always one of the samples', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(hundred, 0.5)).toBe(51)
  expect(percentile(hundred, 0.99)).toBe(100)
  expect(percentile([7], 0.99)).toBe(7)
})

test('the spread of few rounds is all of them, that of many leaves outliers out', () => {
  expect(spread([3, 1, 2])).toEqual([1, 3])
  expect(spread([...Array.from({ length: 18 }, () => 5), 1, 900])).toEqual([5, 5])
})
