import { expect, test } from 'vitest'
import { runId } from '../../../test/support/terminals.ts'
import { Pace } from './pace.ts'

function makePace() {
  const clock = { now: 0 }
  return { clock, pace: new Pace(() => clock.now) }
}

test('a run that floods is looked at seldom, and at once when it has calmed down', () => {
  const { clock, pace } = makePace()
  const [flood, quiet] = [runId(1), runId(2)]
  for (let second = 0; second <= 3; second++) {
    clock.now = second * 1_000
    pace.printed(flood, second * 50_000)
    pace.printed(quiet, second * 10)
  }
  expect([pace.isFlooding, pace.isHeldBack(flood), pace.isHeldBack(quiet)]).toEqual([true, false, false])
  pace.stepped(flood)
  pace.stepped(quiet)
  expect([pace.isHeldBack(flood), pace.isHeldBack(quiet)]).toEqual([true, false])
  clock.now += 4_000 // nothing was printed meanwhile
  expect([pace.isFlooding, pace.isHeldBack(flood), pace.isMoving(flood)]).toEqual([false, false, false])
})

test('a run that never stops flooding still gets its turn once in a while', () => {
  const { clock, pace } = makePace()
  let turns = 0
  for (let second = 0; second < 60; second++) {
    clock.now = second * 1_000
    pace.printed(runId(1), second * 50_000)
    if (pace.isHeldBack(runId(1))) continue
    pace.stepped(runId(1))
    turns += 1
  }
  expect(turns).toBeGreaterThan(5)
  expect(turns).toBeLessThan(20)
})
