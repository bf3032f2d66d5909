import { describe, expect, it } from 'vitest'
import { asleep, live, runId } from '../../../test/support/terminals.ts'
import type { ExitStatus } from '../terminal/terminal.ts'
import { type End, endedWithMachine, type LastLife, wasLostAtTheEnd, withoutMachineEnd } from './machineEnd.ts'

const TOLD = 1_000_000
const rebooted: LastLife = { toldAt: TOLD, hasRebooted: true, hasSurvivors: false, ends: [] }
const loggedOut: LastLife = { ...rebooted, hasRebooted: false }
const unheard: LastLife = { ...rebooted, toldAt: null }
const term: ExitStatus = { signal: 'SIGTERM' }
const end = (after: number, status: ExitStatus = term, isSeen = false): End => ({ at: TOLD + after, status, isSeen })

describe('after a reboot, with a daemon that was told to end', () => {
  it.each([
    ['a signal a moment before', end(-3_000, term, true)],
    ['a signal a moment later', end(40)],
    ['a shell’s word for a signal', end(40, { code: 143 })],
    ['an agent that leaves in order', end(900, { code: 0 })],
    ['an agent that leaves in order just before', end(-200, { code: 0 }, true)],
    ['a program that took a minute', end(60_000, { code: 1 })],
  ])('%s is the machine’s doing', (_what, one) => expect(endedWithMachine(one, rebooted)).toBe(true))

  it.each([
    ['a shell that was left seconds before', end(-3_000, { code: 0 }, true)],
    ['a program that was killed a while before', end(-60_000, term, true)],
    ['a program that ended hours later, with no daemon', end(7_200_000, { code: 0 })],
  ])('%s ended by itself', (_what, one) => expect(endedWithMachine(one, rebooted)).toBe(false))
})

describe('on the same boot', () => {
  it('a logout that ends everything is told from a daemon that alone was told to end', () => {
    expect(endedWithMachine(end(40), loggedOut)).toBe(true)
    expect(endedWithMachine(end(40), { ...loggedOut, hasSurvivors: true })).toBe(false)
    expect(endedWithMachine(end(20_000), loggedOut)).toBe(false)
  })

  it('an orderly end counts in the company of forced ones only', () => {
    expect(endedWithMachine(end(500, { code: 0 }), loggedOut)).toBe(false)
    expect(endedWithMachine(end(500, { code: 0 }), { ...loggedOut, ends: [end(40)] })).toBe(true)
  })

  it('says nothing where nobody told the daemon to end', () => {
    expect(endedWithMachine(end(0), { ...unheard, hasRebooted: false, ends: [end(0)] })).toBe(false)
  })
})

describe('after a reboot, with no word of a daemon', () => {
  it('the last ends that nobody saw are the machine’s if they were forced, or in the company of such', () => {
    const ends = [end(0), end(300, { code: 0 }), end(-86_400_000, term, true)]
    expect(endedWithMachine(end(0), { ...unheard, ends })).toBe(true)
    expect(endedWithMachine(end(300, { code: 0 }), { ...unheard, ends })).toBe(true)
    expect(endedWithMachine(end(-86_400_000, term, true), { ...unheard, ends })).toBe(false)
  })

  it('a program that somebody ended while no daemon ran has ended', () => {
    const exit = end(0, { code: 0 })
    expect(endedWithMachine(exit, { ...unheard, ends: [exit] })).toBe(false)
  })

  it('what a daemon saw is believed', () => {
    expect(endedWithMachine(end(0, term, true), { ...unheard, ends: [end(0, term, true)] })).toBe(false)
  })
})

describe('a record that took the machine’s end for the program’s', () => {
  it('is lost, and keeps everything else', () => {
    const record = asleep({ since: TOLD + 5, because: { kind: 'exited', status: term } })
    expect(withoutMachineEnd(record, rebooted)).toEqual({ ...record, because: { kind: 'lost' } })
    const failed = asleep({ since: TOLD + 5, because: { kind: 'failed', reason: 'it was ended', resumed: runId(1) } })
    expect(withoutMachineEnd(failed, rebooted)).toMatchObject({ because: { kind: 'lost' } })
  })

  it('is left alone where it was put to sleep, did not start, ended before, or runs', () => {
    for (const record of [
      asleep({ since: TOLD + 5, because: { kind: 'slept' } }),
      asleep({ since: TOLD + 5, because: { kind: 'failed', reason: 'no such directory', resumed: null } }),
      asleep({ since: TOLD - 50_000, because: { kind: 'exited', status: { code: 0 } } }),
      live(),
    ])
      expect(withoutMachineEnd(record, rebooted)).toBe(record)
  })
})

it('one that was lost a moment before the daemon went is part of that; one of yesterday is not', () => {
  const lost = { kind: 'lost' } as const
  expect(wasLostAtTheEnd(asleep({ since: TOLD - 50, because: lost }), TOLD)).toBe(true)
  expect(wasLostAtTheEnd(asleep({ since: TOLD - 86_400_000, because: lost }), TOLD)).toBe(false)
  expect(wasLostAtTheEnd(asleep({ since: TOLD, because: { kind: 'slept' } }), TOLD)).toBe(false)
})
