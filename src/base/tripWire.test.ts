import { expect, test } from 'vitest'
import { tripWire } from './tripWire.ts'

test('a moment is reached the first time, or the time that was asked for, and only then', () => {
  const first = tripWire('before:keep')
  expect([first('after:keep'), first('before:keep'), first('before:keep')]).toEqual([false, true, false])
  const third = tripWire('store:mirror begun#3')
  expect(['store:mirror begun', 'x', 'store:mirror begun', 'store:mirror begun'].map(third)).toEqual([false, false, false, true])
})

test('nothing is reached when nothing was asked for', () => {
  for (const armed of [undefined, '', '#2']) expect(tripWire(armed)('')).toBe(false)
})
