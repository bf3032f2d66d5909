import { beforeEach, describe, expect, test } from 'vitest'
import { pageSettings } from '../../test/support/pageSettings.ts'
import { terminalView } from '../../test/support/terminalView.ts'
import type { ClientState, WatchHandlers } from './daemonClient.ts'
import { Mirror } from './mirror.ts'

const CONNECTED: ClientState = { kind: 'connected', daemon: { protocol: 1, version: '1', pid: 1 } }

let watcher: WatchHandlers
let tell: (state: ClientState) => void
let mirror: Mirror

beforeEach(() => {
  mirror = new Mirror({
    state: { kind: 'connecting' },
    onState: (listener) => {
      tell = listener
      return () => undefined
    },
    watch: (handlers) => {
      watcher = handlers
      return () => undefined
    },
  })
})

const answered = (settings = pageSettings()) => {
  tell(CONNECTED)
  watcher.onAll({ terminals: [terminalView()], topology: { groups: [], dock: ['t1'] }, settings })
}

describe('what the mirror knows', () => {
  test('is nothing until the daemon has answered', () => {
    expect(mirror.state).toMatchObject({ terminals: null, topology: null, settings: null })
  })

  test('has the settings of the page, and takes changed ones as a whole', () => {
    answered(pageSettings({ theme: 'dark', keys: { palette: 'Ctrl+P' } }))
    expect(mirror.state.settings).toMatchObject({ theme: 'dark', keys: { palette: 'Ctrl+P' } })
    let told = 0
    mirror.subscribe(() => {
      told += 1
    })
    watcher.onEvent({ kind: 'settings', settings: pageSettings({ fontSize: 20 }) })
    expect(mirror.state.settings).toEqual(pageSettings({ fontSize: 20 }))
    expect(told).toBe(1)
  })

  test('stays while the link is down', () => {
    answered()
    tell({ kind: 'connecting' })
    expect(mirror.state.settings).toEqual(pageSettings())
    expect(mirror.state.terminals).toHaveLength(1)
  })
})
