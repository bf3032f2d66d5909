import { expect, it } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { WatchHandlers } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import { asleepLine, type FellAsleep, followAsleep, stoppedText } from './stopDaemon.ts'

it('each terminal that was running is told of once, when it falls asleep', () => {
  const watching: WatchHandlers[] = []
  let clock = 0
  const told: FellAsleep[] = []
  const watch = (handlers: WatchHandlers) => {
    watching.push(handlers)
    return () => undefined
  }
  const stop = followAsleep(
    { watch },
    (fallen) => told.push(fallen),
    () => clock,
  )
  const tell = (terminal: TerminalView) => watching[0]?.onEvent({ kind: 'terminal', terminal })
  const all = [terminalView({ id: 'a', name: 'api' }), terminalView({ id: 'b', state: 'asleep' })]
  watching[0]?.onAll({ terminals: all } as unknown as Parameters<WatchHandlers['onAll']>[0])
  clock = 1_240
  tell(terminalView({ id: 'b', state: 'asleep' }))
  tell(terminalView({ id: 'a', name: 'api', state: 'settling' }))
  tell(terminalView({ id: 'a', name: 'api', state: 'asleep', conversation: '0198f7c1-9c1e' }))
  tell(terminalView({ id: 'a', name: 'api', state: 'asleep', conversation: '0198f7c1-9c1e' }))
  stop()
  expect(told.map(asleepLine)).toEqual(['api  asleep, conversation 0198f7c1… kept  1.2 s'])
})

it('the summary says what becomes of the programs', () => {
  const stopped = { wasRunning: true, ended: 0 }
  expect(stoppedText({ wasRunning: false, ended: 0 }, { all: false })).toBe('The daemon is not running.')
  expect(stoppedText({ ...stopped, running: 3 }, { all: false })).toBe('Stopped. 3 programs keep running; the next start reconnects them.')
  expect(stoppedText({ ...stopped, running: 0 }, { all: false })).toBe('Stopped. No program was running.')
  expect(stoppedText(stopped, { all: false })).toBe('Stopped. Programs keep running; the next start reconnects them.')
  expect(stoppedText({ ...stopped, ended: 1, unsettled: ['db', 'api'] }, { all: true })).toBe(
    'Stopped; 1 program put to sleep.\nDid not end in time, and may still be running: db, api.',
  )
})
