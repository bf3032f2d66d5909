import { expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { partedByIdleness, summaryOf } from './sleep.ts'

const slept = (freedBytes: number | null): TerminalView => {
  const context = { directory: '/src', branch: null, agent: null, pullRequest: null, freedBytes }
  return terminalView({ state: 'asleep', because: { kind: 'slept', context } })
}

test('those that were active since are left alone, with when that was; of others their start counts', () => {
  const api = terminalView({ id: 't1', name: 'api', activeAt: 940_000 })
  const web = terminalView({ id: 't2', activeAt: 0 })
  const mute = terminalView({ id: 't3', activeAt: null, since: 0 })
  const { idle, busy } = partedByIdleness([api, web, mute], 60_001, 1_000_000)
  expect(idle).toEqual([web, mute])
  expect(busy).toEqual([{ id: 't1', name: 'api', why: 'it was active 1m ago.' }])
  expect(partedByIdleness([api], null, 1_000_000).idle).toEqual([api])
})

test('the summary counts what sleeps, what that freed and what was left', () => {
  expect(summaryOf([], { live: 0, left: 0 })).toBe('Nothing to do: no terminal is live.')
  expect(summaryOf([], { live: 2, left: 2 })).toBe('No terminal was put to sleep; 2 left running.')
  expect(summaryOf([slept(3 << 20)], { live: 1, left: 0 })).toBe('1 terminal was put to sleep, 3 MiB of memory freed.')
  expect(summaryOf([slept(3 << 20), slept(null)], { live: 3, left: 1 })).toBe(
    '2 terminals were put to sleep, 3 MiB of memory freed; 1 left running.',
  )
})
