import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { asleep, live, runId, spec, terminalId } from '../../../test/support/terminals.ts'
import type { TerminalId } from '../../base/ids.ts'
import type { Effect } from '../../workspace/terminal/events.ts'
import { newTerminal } from '../../workspace/terminal/step.ts'
import { Registry } from './registry.ts'

const id = terminalId(1)
const silent = pino({ level: 'silent' })
const run = runId(1)

/** A registry whose effects are only written down; `fail` says which of them fail. */
function recording(fail: (effect: Effect) => boolean = () => false) {
  const done: string[] = []
  const registry = new Registry(async (effect, terminal: TerminalId) => {
    await Promise.resolve()
    if (fail(effect)) throw new Error('no space left')
    done.push(`${terminal === id ? '' : 'other '}${effect.kind}`)
  }, silent)
  return { registry, done }
}

test('a terminal changes at once, and its effects follow in order', async () => {
  const { registry, done } = recording()
  const born = registry.carryOut(id, newTerminal({ id, spec, name: null, run, now: 1 }))
  expect(registry.get(id)?.state).toBe('waking')
  const started = registry.apply(id, { kind: 'started', run, pid: 1, holderPid: 2, mode: 'fresh' })
  expect(registry.get(id)?.state).toBe('live')
  expect(done).toEqual([])
  await Promise.all([born, started])
  expect(done).toEqual(['keep', 'spawn', 'announce', 'keep', 'announce'])
})

test('nothing after a keep that failed is done; it is tried again until it succeeds', async () => {
  vi.useFakeTimers()
  let full = true
  const { registry, done } = recording((effect) => full && effect.kind === 'keep')
  await registry.carryOut(id, { terminal: live(), effects: [] })
  const exit = registry.apply(id, { kind: 'exited', run, status: { code: 0 } })
  await expect(exit).rejects.toThrow('no space left')
  expect(done).toEqual(['keepScreen'])
  expect(registry.troubles()).toEqual([`${id}: no space left`])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(done).toEqual(['keepScreen'])
  full = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(done).toEqual(['keepScreen', 'keep', 'releaseHolder', 'announce'])
  expect(registry.troubles()).toEqual([])
  vi.useRealTimers()
})

test('one terminal that waits for the disk does not hold up another', async () => {
  const other = terminalId(2)
  const stuck = new Set<TerminalId>([id])
  const done: TerminalId[] = []
  const registry = new Registry(
    (_effect, terminal) => (stuck.has(terminal) ? new Promise(() => undefined) : Promise.resolve(void done.push(terminal))),
    silent,
  )
  void registry.carryOut(id, { terminal: live(), effects: [{ kind: 'announce' }] })
  await registry.carryOut(other, { terminal: live({ id: other, run: runId(2) }), effects: [{ kind: 'announce' }] })
  expect(done).toEqual([other])
})

test('a terminal that never came to be is gone, with all that was to be done about it', async () => {
  const { registry, done } = recording((effect) => effect.kind === 'keep')
  await expect(registry.carryOut(id, newTerminal({ id, spec, name: null, run, now: 1 }))).rejects.toThrow()
  registry.abandon(id)
  expect(registry.get(id)).toBe(null)
  expect(registry.troubles()).toEqual([])
  expect(done).toEqual([])
})

test('effects that would kill before they keep are a bug, not a deed', () => {
  const { registry, done } = recording()
  const careless = () => registry.carryOut(id, { terminal: asleep(), effects: [{ kind: 'kill', run }, { kind: 'keep' }] })
  expect(careless).toThrow()
  expect(done).toEqual([])
})

test('closing ends with the terminal gone', async () => {
  const { registry, done } = recording()
  await registry.carryOut(id, { terminal: asleep(), effects: [] })
  await registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
  expect(registry.get(id)).toBe(null)
  expect(done).toEqual(['forget', 'announce'])
})

test('a terminal whose program has just ended is known by its run until its last screen is kept', async () => {
  const { registry } = recording()
  await registry.carryOut(id, { terminal: live(), effects: [] })
  expect(registry.endingWith(run)).toBeNull()
  const exit = registry.apply(id, { kind: 'exited', run, status: { code: 0 } })
  expect(registry.byRun(run)).toBeNull()
  expect(registry.endingWith(run)?.id).toBe(id)
  await exit
  await registry.stop()
  expect(registry.endingWith(run)).toBeNull()
})
