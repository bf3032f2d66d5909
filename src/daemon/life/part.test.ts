import { expect, test } from 'vitest'
import { Later, Life, type Part } from './part.ts'

function scene(changes: Partial<Part> = {}) {
  const heard: string[] = []
  const part = (name: string): Part => ({
    name,
    start: () => void heard.push(`start ${name}`),
    quiet: () => void heard.push(`quiet ${name}`),
    stop: () => void heard.push(`stop ${name}`),
  })
  return { heard, parts: [part('store'), { ...part('screens'), ...changes }, part('socket')], life: new Life({ info: () => undefined }) }
}

test('parts start in order, and stop in the opposite one after all of them are quiet', async () => {
  const { heard, parts, life } = scene()
  await life.start(parts)
  await Promise.all([life.stop(), life.stop('signal')])
  const starts = ['start store', 'start screens', 'start socket']
  const quiet = ['quiet socket', 'quiet screens', 'quiet store']
  expect(heard).toEqual([...starts, ...quiet, 'stop socket', 'stop screens', 'stop store'])
})

test('a part that fails or does not end keeps none of the others from stopping', async () => {
  const patience = { command: 10_000, signal: 1 }
  for (const stop of [() => Promise.reject(new Error('no disk')), () => new Promise(() => undefined)]) {
    const { heard, parts, life } = scene({ stop, patience })
    await life.start(parts)
    await life.stop('signal')
    expect(heard.slice(-2)).toEqual(['stop socket', 'stop store'])
  }
})

test('before everything has started nothing is stopped', async () => {
  const { heard, life } = scene()
  await life.stop()
  expect(heard).toEqual([])
})

test('what a later part gives is waited for by an earlier one', async () => {
  const later = new Later<number>()
  setTimeout(() => later.give(7), 1)
  expect(await later.promise).toBe(7)
})
