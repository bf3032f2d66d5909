import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failureOf, StoreFailure } from '../failure.ts'
import { makeWriteQueue } from './writeQueue.ts'
import type { Write } from './writes.ts'

const terminal = (id: string, record: string): Write => ({ kind: 'terminal', id, record, touched: 0 })
const setting = (key: string, value: string): Write => ({ kind: 'setting', key, value })
const snapshot = (terminalId: string, run: string, seq: number): Write => ({
  kind: 'snapshot',
  terminal: terminalId,
  run,
  seq,
  bytes: new Uint8Array(),
})
const forget = (id: string): Write => ({ kind: 'forgetTerminal', id })

/** A disk whose commits the test finishes by hand. */
function slowDisk() {
  const batches: (readonly Write[])[] = []
  const finish: (() => void)[] = []
  const queue = makeWriteQueue(async (writes) => {
    batches.push(writes)
    await new Promise<void>((resolve) => finish.push(resolve))
    return writes.map(() => null)
  })
  return { queue, batches, finish }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what is asked for in one turn is one batch', async () => {
  const { queue, batches, finish } = slowDisk()
  const kept = [queue.add(setting('a', '1')), queue.add(setting('b', '1'))]
  await Promise.resolve()
  kept.push(queue.add(setting('c', '1')))
  await turn()
  expect(batches).toEqual([[setting('a', '1'), setting('b', '1'), setting('c', '1')]])
  finish[0]?.()
  await Promise.all(kept)
})

test('what is asked for while the disk is busy waits and is one batch', async () => {
  const { queue, batches, finish } = slowDisk()
  const first = queue.add(setting('a', '1'))
  await turn()
  const second = queue.add(setting('b', '1'))
  await turn()
  const third = queue.add(setting('c', '1'))
  await turn()
  expect(batches).toHaveLength(1)
  finish[0]?.()
  await first
  await turn()
  expect(batches[1]).toEqual([setting('b', '1'), setting('c', '1')])
  finish[1]?.()
  await Promise.all([second, third])
})

test('the newest write for a terminal takes the place of the older one, and both are told when it is on disk', async () => {
  const { queue, batches, finish } = slowDisk()
  const kept = [queue.add(terminal('t', 'old')), queue.add(snapshot('t', 'r', 1)), queue.add(terminal('t', 'new'))]
  await turn()
  expect(batches[0]).toEqual([terminal('t', 'new'), snapshot('t', 'r', 1)])
  finish[0]?.()
  await Promise.all(kept)
})

test('a promise does not resolve before the batch is committed', async () => {
  const { queue, finish } = slowDisk()
  let resolved = false
  const kept = queue.add(setting('a', '1')).then(() => {
    resolved = true
  })
  await turn()
  await turn()
  expect(resolved).toBe(false)
  finish[0]?.()
  await kept
})

test('each write has its own outcome, and the queue goes on after a failure', async () => {
  let full = true
  const queue = makeWriteQueue((writes) =>
    Promise.resolve(writes.map((write) => (full && write.kind === 'snapshot' ? failureOf('full') : null))),
  )
  const kept = queue.add(setting('a', '1'))
  await expect(queue.add(snapshot('t', 'r', 1))).rejects.toThrow(StoreFailure)
  await kept
  full = false
  await queue.add(snapshot('t', 'r', 1))
})

test('a thread that is gone rejects the whole batch', async () => {
  const queue = makeWriteQueue(() => Promise.reject(new StoreFailure(failureOf('closed'))))
  await expect(queue.add(setting('a', '1'))).rejects.toThrow('the store is closed')
})

test('flush sends at once, even while the disk is busy', async () => {
  const { queue, batches, finish } = slowDisk()
  const kept = [queue.add(setting('a', '1'))]
  queue.flush()
  kept.push(queue.add(setting('b', '1')))
  queue.flush()
  expect(batches).toHaveLength(2)
  for (const done of finish) done()
  await Promise.all(kept)
})

/** What the tables would hold. Forgetting a terminal takes its snapshots along; without one, a snapshot is not kept. */
function outcomeOf(writes: readonly Write[]) {
  const terminals = new Map<string, string>()
  const snapshots = new Map<string, { terminal: string; seq: number }>()
  for (const write of writes) {
    if (write.kind === 'terminal') terminals.set(write.id, write.record)
    if (write.kind === 'snapshot' && terminals.has(write.terminal)) snapshots.set(write.run, { terminal: write.terminal, seq: write.seq })
    if (write.kind !== 'forgetTerminal') continue
    terminals.delete(write.id)
    for (const [run, { terminal: owner }] of snapshots) if (owner === write.id) snapshots.delete(run)
  }
  return { terminals: Object.fromEntries(terminals), snapshots: Object.fromEntries(snapshots) }
}

test('whatever is left out of a batch, the outcome is that of every write in order', async () => {
  const id = fc.constantFrom('t1', 't2')
  const write = fc.oneof(
    fc.tuple(id, fc.string()).map(([t, record]) => terminal(t, record)),
    fc.tuple(id, fc.constantFrom('a', 'b'), fc.nat()).map(([t, run, seq]) => snapshot(t, t + run, seq)),
    id.map(forget),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 20 }), async (writes) => {
      const sent: Write[] = []
      const queue = makeWriteQueue((batch) => {
        sent.push(...batch)
        return Promise.resolve(batch.map(() => null))
      })
      await Promise.all(writes.map((each) => queue.add(each)))
      expect(outcomeOf(sent)).toEqual(outcomeOf(writes))
    }),
  )
})
