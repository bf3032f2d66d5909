import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asleep, live, runId, settling, terminalId, waking } from '../../../test/support/terminals.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { PAINTED_WITHIN_MS, WakePhases } from './wakePhases.ts'

const id = terminalId(1)
const run = runId(1)
let terminal: Terminal
/** What clients have seen. */
let seen: (string | null)[]
let phases: WakePhases
let paint: (text: string) => void
let fail: (error: Error) => void
let cancelled: number

beforeEach(() => {
  vi.useFakeTimers()
  terminal = asleep({ id })
  ;[seen, cancelled] = [[], 0]
  phases = new WakePhases({
    announce: () => void seen.push(phases.phaseOf(terminal)),
    painted: () => ({
      found: new Promise((resolve, reject) => ([paint, fail] = [resolve, reject])),
      cancel: () => (cancelled += 1),
    }),
  })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** A check that ends when told to. */
function heldCheck(): { pass(): void; refuse(): void; break(): void; readonly over: Promise<unknown> } {
  let end: (outcome: 'woken' | 'refused' | Error) => void = () => undefined
  const held = new Promise<'woken' | 'refused' | Error>((resolve) => (end = resolve))
  const over = phases.checking(id, async () => {
    const outcome = await held
    if (outcome instanceof Error) throw outcome
    if (outcome === 'woken') terminal = waking({ id, run })
    return outcome
  })
  return { pass: () => end('woken'), refuse: () => end('refused'), break: () => end(new Error('a disk')), over }
}

describe('the phases of a wake', () => {
  it('follow each other without a gap, and end with the first thing that is painted', async () => {
    const check = heldCheck()
    expect(phases.phaseOf(terminal)).toBe('checking')
    check.pass()
    await check.over
    phases.resuming(id, run)
    terminal = live({ id, run })
    expect(phases.phaseOf(terminal)).toBe('resuming')
    const watched = phases.watch(run)
    paint('>')
    await watched
    expect(phases.phaseOf(terminal)).toBeNull()
    expect(seen).toEqual(['checking', 'starting', null])
  })

  it('are over where a check refuses, or fails', async () => {
    const refusing = heldCheck()
    refusing.refuse()
    expect(await refusing.over).toBe('refused')
    const failing = heldCheck()
    failing.break()
    await expect(failing.over).rejects.toThrow('a disk')
    expect([phases.phaseOf(terminal), phases.isChecking(id)]).toEqual([null, false])
    expect(seen).toEqual(['checking', null, 'checking', null])
  })

  it('begin once: a second check of the same terminal is not begun, one of another is', async () => {
    const check = heldCheck()
    expect(phases.isChecking(id)).toBe(true)
    await expect(phases.checking(id, () => Promise.reject(new Error('begun twice')))).rejects.toThrow('is being checked already')
    expect(await phases.checking(terminalId(2), () => Promise.resolve('other'))).toBe('other')
    expect(phases.isChecking(id)).toBe(true)
    check.refuse()
    await check.over
  })

  it('do not last where a program paints nothing', async () => {
    phases.resuming(id, run)
    terminal = live({ id, run })
    const watched = phases.watch(run)
    vi.advanceTimersByTime(PAINTED_WITHIN_MS)
    expect([phases.phaseOf(terminal), cancelled]).toEqual([null, 1])
    paint('late')
    await watched
    expect(seen).toEqual([null])
  })

  it('do not last where nobody can see what it paints', async () => {
    phases.resuming(id, run)
    terminal = live({ id, run })
    const watched = phases.watch(run)
    fail(new Error('the worker died'))
    await watched
    expect(phases.phaseOf(terminal)).toBeNull()
    phases.resuming(id, run)
    vi.advanceTimersByTime(PAINTED_WITHIN_MS) // it never had a screen
    expect(phases.phaseOf(terminal)).toBeNull()
  })

  it('are of the run that is being resumed alone, and of no terminal that ends', async () => {
    phases.resuming(id, run)
    expect([live({ id, run: runId(2) }), settling({ id, run }), asleep({ id })].map((other) => phases.phaseOf(other))).toEqual([
      null,
      null,
      null,
    ])
    await phases.watch(runId(2))
    vi.advanceTimersByTime(PAINTED_WITHIN_MS)
  })
})
