import { expect, test } from 'vitest'
import { live, runId } from '../../../test/support/terminals.ts'
import type { RunId } from '../../base/ids.ts'
import { Openings } from './openings.ts'

const terminal = live()
const [one, two] = [runId(1), runId(2)] as const

/** Screens that are open once the test says so. */
function held() {
  const open = new Set<RunId>()
  const begun: RunId[] = []
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const openings = new Openings({
    isOpen: (run) => open.has(run),
    open: (run) => {
      begun.push(run)
      return new Promise<void>((resolve, reject) => ends.push({ resolve, reject })).then(() => void open.add(run))
    },
  })
  return { openings, open, begun, end: (at: number) => ends[at]?.resolve(), fail: (at: number) => ends[at]?.reject(new Error('gone')) }
}

test('whoever asks while a screen is being opened waits for that one', async () => {
  const { openings, begun, end } = held()
  const all = [
    openings.ensure(one, terminal),
    openings.ensure(one, terminal),
    openings.renew(one, terminal),
    openings.behind(one, () => terminal),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([one])
  end(0)
  await Promise.all(all)
  await openings.ensure(one, terminal)
  expect(begun).toEqual([one])
})

test('what is open is opened again only where it is to be renewed', async () => {
  const { openings, open, begun, end } = held()
  open.add(one)
  await openings.ensure(one, terminal)
  await openings.behind(one, () => terminal)
  expect(begun).toEqual([])
  const renewed = openings.renew(one, terminal)
  end(0)
  await renewed
  expect(begun).toEqual([one])
})

test('a renewal that met an opening which failed tries once more, and several of them only once', async () => {
  const { openings, begun, end, fail } = held()
  const first = openings.ensure(one, terminal).catch((error: Error) => error.message)
  const renewals = [openings.renew(one, terminal), openings.renew(one, terminal)]
  fail(0)
  expect(await first).toBe('gone')
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([one, one])
  end(1)
  await Promise.all(renewals)
})

test('what nobody looks at comes behind what somebody does, and not at all where it is over by then', async () => {
  const { openings, begun, end } = held()
  const asked = openings.ensure(one, terminal)
  const behind = [openings.behind(two, () => terminal), openings.behind(runId(3), () => null)]
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([one])
  end(0)
  await asked
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([one, two])
  end(1)
  await Promise.all(behind)
  expect(begun).toEqual([one, two])
})
