import { expect, test } from 'vitest'
import { isSame } from './isSame.ts'

test('arrays and plain objects with the same content are the same', () => {
  expect(isSame({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true)
  expect(isSame([], [])).toBe(true)
})

test('a different value, a missing key and a different kind are noticed', () => {
  expect(isSame({ a: [1, { b: null }] }, { a: [1, { b: 0 }] })).toBe(false)
  expect(isSame({ a: undefined }, {})).toBe(false)
  expect(isSame({ a: undefined }, { b: undefined })).toBe(false)
  expect(isSame([1], [1, 2])).toBe(false)
  expect(isSame([], {})).toBe(false)
  expect(isSame(null, {})).toBe(false)
})

test('what is neither array nor plain object is compared by identity', () => {
  expect(isSame(new Set([1]), new Set([1]))).toBe(false)
  const same = new Map()
  expect(isSame({ same }, { same })).toBe(true)
})
