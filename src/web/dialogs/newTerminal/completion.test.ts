import { expect, test } from 'vitest'
import { completed, stepped } from './completion.ts'

test('Tab goes as far as all suggestions agree, and into the only one', () => {
  expect(completed('/home/mia/s', ['/home/mia/src', '/home/mia/srv'])).toBe('/home/mia/sr')
  expect(completed('/home/mia/sr', ['/home/mia/src', '/home/mia/srv'])).toBeNull()
  expect(completed('/home/mia/src', ['/home/mia/src'])).toBe('/home/mia/src/')
  expect(completed('/home/mia/src/', ['/home/mia/src'])).toBeNull()
  expect(completed('/x', [])).toBeNull()
})

test('the home directory is spelled out by what is suggested', () => {
  expect(completed('~/s', ['/home/mia/src'])).toBe('/home/mia/src/')
  expect(completed('~/s', ['~/src', '~/srv'])).toBe('~/sr')
})

test('arrows go round through the suggestions and the text itself', () => {
  expect([stepped(-1, 1, 2), stepped(0, 1, 2), stepped(1, 1, 2), stepped(-1, -1, 2), stepped(0, -1, 2)]).toEqual([0, 1, -1, 1, -1])
  expect(stepped(-1, 1, 0)).toBe(-1)
})
