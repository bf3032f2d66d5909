import { expect, test } from 'vitest'
import { hasRoom } from './room.ts'

test('a terminal is drawn where a title bar and two rows of some words have room', () => {
  expect(hasRoom({ width: 160, height: 96 }, null)).toBe(true)
  expect(hasRoom({ width: 57, height: 400 }, null)).toBe(false)
  expect(hasRoom({ width: 570, height: 40 }, null)).toBe(false)
})

test('one that is drawn stays so until it is a little smaller', () => {
  expect([hasRoom({ width: 85, height: 400 }, true), hasRoom({ width: 85, height: 400 }, false)]).toEqual([true, false])
  expect(hasRoom({ width: 80, height: 400 }, true)).toBe(false)
})
