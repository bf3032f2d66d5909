import { expect, test, vi } from 'vitest'
import { LONGEST_MS, type Toast, Toasts } from './toasts.ts'

const toast = (id: string, text = id): Toast => ({ id, text, action: null, forMs: 60_000 })
const texts = ({ shown }: Toasts): readonly string[] => shown.map(({ text }) => text)

test('the newest are shown, each once, and none for ever', () => {
  const toasts = new Toasts()
  for (const id of ['a', 'b', 'c', 'd']) toasts.show(toast(id))
  expect(texts(toasts)).toEqual(['b', 'c', 'd'])
  toasts.show(toast('b', 'b again'))
  expect(texts(toasts)).toEqual(['c', 'd', 'b again'])
  expect(toasts.shown.every(({ forMs }) => forMs === LONGEST_MS)).toBe(true)
})

test('whoever draws them is told of each change, and of nothing else', () => {
  const toasts = new Toasts()
  const told = vi.fn()
  const end = toasts.subscribe(told)
  toasts.show(toast('a'))
  toasts.dismiss('b')
  toasts.dismiss('a')
  end()
  toasts.show(toast('c'))
  expect(told).toHaveBeenCalledTimes(2)
})
