import { expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { dismissed, NO_NEWS, stepNews, toastWordsOf } from './sleepNews.ts'

const live = (id: string): TerminalView => terminalView({ id, name: id, state: 'live' })
const slept = (id: string, by?: 'idle' | 'memory'): TerminalView =>
  terminalView({
    id,
    name: id,
    state: 'asleep',
    because: { kind: 'slept', ...(by === undefined ? {} : { by }) },
    since: 7_200_000,
    activeAt: 0,
  })
const told = (...steps: readonly (readonly TerminalView[])[]) => {
  const news = steps.reduce(stepNews, NO_NEWS)
  return toastWordsOf(news, steps.at(-1) ?? [])
}

test('one that was put to sleep while the page was open is named, with why', () => {
  expect(told([live('api')], [slept('api', 'idle')])).toEqual({ text: '“api” was put to sleep: idle for 2 h.', wake: 'Wake' })
  expect(told([live('api')], [slept('api', 'memory')])?.text).toBe('“api” was put to sleep: memory is low.')
})

test('several are one line', () => {
  const [a, b] = [slept('a', 'idle'), slept('b', 'idle')]
  expect(told([live('a'), live('b')], [a, live('b')], [a, b])).toEqual({
    text: '2 terminals were put to sleep: they were idle.',
    wake: 'Wake all',
  })
  expect(told([live('a'), live('b')], [a, slept('b', 'memory')])?.text).toBe('2 terminals were put to sleep.')
})

test('a page that opens later says nothing, nor of one that somebody put to sleep', () => {
  expect(told([slept('api', 'idle')])).toBeNull()
  expect(told([live('api')], [slept('api')])).toBeNull()
})

test('one that is awake again, or closed, is no news any more', () => {
  expect(told([live('api')], [slept('api', 'idle')], [live('api')])).toBeNull()
  expect(told([live('api')], [slept('api', 'idle')], [])).toBeNull()
})

test('what was dismissed does not come back', () => {
  const terminals = [slept('api', 'idle')]
  const news = dismissed(stepNews(stepNews(NO_NEWS, [live('api')]), terminals))
  expect(toastWordsOf(stepNews(news, terminals), terminals)).toBeNull()
})
