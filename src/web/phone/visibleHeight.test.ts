import { expect, it } from 'vitest'
import { visibleHeight } from './visibleHeight.ts'

it('is what the keyboard leaves of the page', () => {
  expect(visibleHeight({ height: 508.6, scale: 1 }, 844)).toBe(508)
})

it('is nothing special where the page is seen whole, or has shrunk by itself', () => {
  expect(visibleHeight({ height: 844, scale: 1 }, 844)).toBeNull()
  expect(visibleHeight({ height: 508, scale: 1 }, 508)).toBeNull()
})

it('does not follow a magnifier', () => {
  expect(visibleHeight({ height: 400, scale: 2.1 }, 844)).toBeNull()
})
