import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const NEVER_MS = 60_000

/** Work that ends when it is told to. */
function makeWork(begun: string[], name: string) {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = (): Promise<void> => {
    begun.push(name)
    return done
  }
  return { work, finish: () => finish() }
}

test('only a few go at a time, and the next goes when one is done, in the order they came', async () => {
  const turns = new Turns({ atOnce: 2, patienceMs: NEVER_MS })
  const begun: string[] = []
  const works = ['a', 'b', 'c', 'd'].map((name) => makeWork(begun, name))
  const all = works.map(({ work }) => turns.take(work))
  expect(begun).toEqual(['a', 'b'])
  works[1]?.finish()
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const { finish } of works) finish()
  await Promise.all(all)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('one that is stuck does not hold up the others', async () => {
  const turns = new Turns({ atOnce: 1, patienceMs: 20 })
  const begun: string[] = []
  const stuck = makeWork(begun, 'stuck')
  const first = turns.take(stuck.work)
  await turns.take(async () => void begun.push('next'))
  expect(begun).toEqual(['stuck', 'next'])
  stuck.finish()
  await first
  await turns.take(async () => void begun.push('last'))
  expect(begun).toEqual(['stuck', 'next', 'last'])
})

test('work that fails fails for whoever asked, and the next one goes', async () => {
  const turns = new Turns({ atOnce: 1, patienceMs: NEVER_MS })
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turns.take(async () => 7)).toBe(7)
})
