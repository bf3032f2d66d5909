import { expect, it } from 'vitest'
import { scrollOf } from './keys.ts'

const press = (key: string, held: { ctrlKey?: boolean; shiftKey?: boolean; altKey?: boolean } = {}) => ({
  type: 'keydown',
  key,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...held,
})
const live = { isLive: true, rows: 30 }
const asleep = { isLive: false, rows: 30 }

it('scrolls by pages with Shift, and to the ends with Ctrl and Shift, while a program has all other keys', () => {
  expect(scrollOf(press('PageUp', { shiftKey: true }), live)).toBe(-29)
  expect(scrollOf(press('PageDown', { shiftKey: true }), live)).toBe(29)
  expect(scrollOf(press('Home', { ctrlKey: true, shiftKey: true }), live)).toBeLessThan(-100_000)
  expect(scrollOf(press('End', { ctrlKey: true, shiftKey: true }), live)).toBeGreaterThan(100_000)
  for (const key of ['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'a']) expect(scrollOf(press(key), live)).toBeNull()
  for (const key of ['Home', 'ArrowUp']) expect(scrollOf(press(key, { shiftKey: true }), live)).toBeNull()
})

it('scrolls with the plain keys where no program wants them', () => {
  expect(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown'].map((key) => scrollOf(press(key), asleep))).toEqual([-29, 29, -1, 1])
  expect(scrollOf(press('Home'), asleep)).toBeLessThan(-100_000)
  expect(scrollOf(press('a'), asleep)).toBeNull()
  expect(scrollOf({ ...press('PageUp'), type: 'keyup' }, asleep)).toBeNull()
  expect(scrollOf(press('ArrowUp', { ctrlKey: true, shiftKey: true }), asleep)).toBeNull() // chooses another terminal
})
