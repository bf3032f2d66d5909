import { expect, it } from 'vitest'
import { Allowance } from './allowance.ts'

it('gives a burst at once, then as many a second as it says, and never saves up more than a burst', () => {
  let now = 0
  const allowance = new Allowance({ burst: 10, perSecond: 5 }, () => now)
  const taken = (): number => Array.from({ length: 100 }, () => allowance.take()).filter(Boolean).length
  expect(taken()).toBe(10)
  expect(taken()).toBe(0)
  now += 1_000
  expect(taken()).toBe(5)
  now += 3_600_000
  expect(taken()).toBe(10)
})
