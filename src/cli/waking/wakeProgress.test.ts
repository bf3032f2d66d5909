import { expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { WatchHandlers } from '../../client/daemonClient.ts'
import { tellPhases } from './wakeProgress.ts'

test('each phase of a wake is said once, of the terminals that were named', async () => {
  const said: string[] = []
  const watching = new Set<WatchHandlers>()
  const client = {
    watch: (handlers: WatchHandlers) => {
      watching.add(handlers)
      return () => watching.delete(handlers)
    },
  }
  const { begun, stop } = tellPhases(client, ['api', 'tzz'], (words) => said.push(words))
  for (const { onAll } of watching) onAll({ terminals: [] } as unknown as Parameters<WatchHandlers['onAll']>[0])
  await begun
  const changed = (changes: Parameters<typeof terminalView>[0]): void => {
    for (const { onEvent } of watching) onEvent({ kind: 'terminal', terminal: terminalView(changes) })
  }
  for (const wakePhase of ['checking', 'checking', 'starting', 'resuming', null] as const) changed({ id: 'tab1', name: 'api', wakePhase })
  changed({ id: 'tcd2', name: 'other', wakePhase: 'checking' })
  changed({ id: 'tzz3', name: null, wakePhase: 'starting' })
  expect(said).toEqual([
    'api: checking what can be resumed…',
    'api: starting its program…',
    'api: resuming; no output yet…',
    'tzz3: starting its program…',
  ])
  stop()
  expect(watching.size).toBe(0)
})
