import { describe, expect, it } from 'vitest'
import { pageSettings } from '../../test/support/pageSettings.ts'
import { terminalView } from '../../test/support/terminalView.ts'
import { refusals } from '../base/refusal.ts'
import type { HealthView } from '../wire/healthView.ts'
import type { TopologyView } from '../wire/topologyView.ts'
import type { TerminalView } from '../wire/view.ts'
import type { ClientState, WatchHandlers } from './daemonClient.ts'
import { Mirror } from './mirror.ts'

const [a, b, c] = [0, 1, 2].map((at) => terminalView({ id: 'abc'[at] ?? '', created: at })) as [TerminalView, TerminalView, TerminalView]
const docked = (...dock: readonly string[]): TopologyView => ({ groups: [], dock: [...dock] })
const connected = (version: string): ClientState => ({ kind: 'connected', daemon: { version, pid: 1, protocol: 1 } })

/** A client whose daemon says what the test wants. */
class FakeClient {
  state: ClientState = { kind: 'connecting' }
  watcher: WatchHandlers | null = null
  private listener: ((state: ClientState) => void) | null = null

  onState(listener: (state: ClientState) => void): () => void {
    this.listener = listener
    return () => {
      this.listener = null
    }
  }

  watch(handlers: WatchHandlers): () => void {
    this.watcher = handlers
    return () => {
      this.watcher = null
    }
  }

  become(state: ClientState): void {
    this.state = state
    this.listener?.(state)
  }
}

function mirrored(): { client: FakeClient; mirror: Mirror; ids: () => string[] | null; told: () => number } {
  const client = new FakeClient()
  const mirror = new Mirror(client)
  let told = 0
  mirror.subscribe(() => told++)
  return { client, mirror, ids: () => mirror.state.terminals?.map(({ id }) => id) ?? null, told: () => told }
}

describe('a mirror', () => {
  it('knows nothing before the daemon has answered, which is not the same as none', () => {
    const { client, mirror, ids } = mirrored()
    expect([ids(), mirror.state.topology, mirror.state.version]).toEqual([null, null, null])
    client.watcher?.onEvent({ kind: 'terminal', terminal: a })
    client.watcher?.onEvent({ kind: 'closed', terminal: 'a' })
    expect(ids()).toBeNull()
  })

  it('has the terminals in the order of the dock; one without a place comes last', () => {
    const { client, mirror, ids } = mirrored()
    client.watcher?.onAll({ terminals: [a, b, c], topology: docked('c', 'a'), settings: pageSettings() })
    expect(ids()).toEqual(['c', 'a', 'b'])
    client.watcher?.onEvent({ kind: 'topology', topology: docked('b', 'c', 'a') })
    expect(ids()).toEqual(['b', 'c', 'a'])
    expect(mirror.state.topology?.dock).toEqual(['b', 'c', 'a'])
  })

  it('takes whole records: new ones, changed ones in their place, and closed ones out', () => {
    const { client, mirror, ids } = mirrored()
    client.watcher?.onAll({ terminals: [a, b], topology: docked('a', 'b'), settings: pageSettings() })
    client.watcher?.onEvent({ kind: 'terminal', terminal: c })
    client.watcher?.onEvent({ kind: 'terminal', terminal: { ...a, name: 'api', unread: true } })
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(mirror.terminal('a')).toMatchObject({ name: 'api', unread: true })
    client.watcher?.onEvent({ kind: 'closed', terminal: 'a' })
    expect(ids()).toEqual(['b', 'c'])
    expect([mirror.terminal('a'), mirror.terminal(null)]).toEqual([null, null])
  })

  it('puts a new one where the dock has it already: the place comes before the terminal', () => {
    const { client, ids } = mirrored()
    client.watcher?.onAll({ terminals: [a, b], topology: docked('a', 'b'), settings: pageSettings() })
    client.watcher?.onEvent({ kind: 'topology', topology: docked('c', 'a', 'b') })
    client.watcher?.onEvent({ kind: 'terminal', terminal: c })
    expect(ids()).toEqual(['c', 'a', 'b'])
  })

  it('keeps what it knows while the link is down, and takes everything anew from the daemon that comes next', () => {
    const { client, mirror, ids } = mirrored()
    client.become(connected('1'))
    client.watcher?.onAll({ terminals: [a, b], topology: docked('a', 'b'), settings: pageSettings() })
    client.become({ kind: 'waiting', why: 'it died' })
    expect([mirror.state.client.kind, mirror.state.version, ids()]).toEqual(['waiting', '1', ['a', 'b']])
    client.become({ kind: 'over', refusal: refusals.daemonUnreachable('gone') })
    expect(mirror.state.version).toBe('1')
    client.become(connected('2'))
    client.watcher?.onAll({ terminals: [c], topology: docked('c'), settings: pageSettings() })
    expect([mirror.state.version, ids()]).toEqual(['2', ['c']])
  })

  it('learns from an answer only what no event has told', () => {
    const { client, mirror } = mirrored()
    client.watcher?.onAll({ terminals: [{ ...a, name: 'newer' }], topology: docked('a'), settings: pageSettings() })
    mirror.learn({ ...a, name: 'older' })
    mirror.learn(b)
    expect(mirror.state.terminals?.map(({ name }) => name)).toEqual(['newer', null])
  })

  it('tells those who subscribe of every change, until they leave, and hears nothing once it is closed', () => {
    const { client, mirror, told } = mirrored()
    const before = mirror.state
    let heard = 0
    const leave = mirror.subscribe(() => heard++)
    client.become(connected('1'))
    leave()
    client.watcher?.onAll({ terminals: [], topology: docked(), settings: pageSettings() })
    expect([told(), heard]).toEqual([2, 1])
    expect(mirror.state).not.toBe(before)
    mirror.close()
    expect(client.watcher).toBeNull()
    client.become({ kind: 'connecting' })
    expect(told()).toBe(2)
  })

  it('knows how the daemon does once it has said so, and does not take an earlier daemon’s silence for well', () => {
    const { client, mirror } = mirrored()
    const all = { terminals: [], topology: docked(), settings: pageSettings() }
    const health: HealthView = { at: 1, overall: 'well', load: { stage: 0, why: null, shed: [] }, watched: [] }
    client.watcher?.onAll(all)
    expect(mirror.state.health).toBeNull()
    client.watcher?.onAll({ ...all, health })
    expect(mirror.state.health?.overall).toBe('well')
    client.watcher?.onEvent({ kind: 'health', health: { ...health, overall: 'ill' } })
    expect(mirror.state.health?.overall).toBe('ill')
  })

  it('takes changed settings as a whole, and keeps them while the link is down', () => {
    const { client, mirror } = mirrored()
    expect(mirror.state.settings).toBeNull()
    client.watcher?.onAll({ terminals: [], topology: docked(), settings: pageSettings({ theme: 'dark' }) })
    client.watcher?.onEvent({ kind: 'settings', settings: pageSettings({ fontSize: 20 }) })
    client.become({ kind: 'connecting' })
    expect(mirror.state.settings).toEqual(pageSettings({ fontSize: 20 }))
  })
})
