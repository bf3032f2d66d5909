/**
 * What the daemon knows, mirrored: every terminal, and where each stands. Whoever shows it subscribes; it draws nothing and
 * decides nothing. The same in the page and in the CLI.
 */
import type { Access } from '../wire/capability.ts'
import type { DaemonEvent } from '../wire/daemon.ts'
import type { HealthView } from '../wire/healthView.ts'
import type { PageSettings } from '../wire/pageSettings.ts'
import type { RecoveryView } from '../wire/recoveryView.ts'
import type { TopologyView } from '../wire/topologyView.ts'
import type { TerminalView } from '../wire/view.ts'
import type { ClientState, DaemonClient } from './daemonClient.ts'

export type MirrorState = {
  readonly client: ClientState
  /** Known since the first answer; it stays while the link is down. */
  readonly version: string | null
  /** In the order of the dock. Null until the daemon has answered for the first time: not knowing is not having none. */
  readonly terminals: readonly TerminalView[] | null
  readonly topology: TopologyView | null
  /** How the user wants the page to be. */
  readonly settings: PageSettings | null
  /** What went down with the machine and waits for an answer. */
  readonly recovery: RecoveryView | null
  /** Null while it is not known: that is not the same as well. */
  readonly health: HealthView | null
  /** What this client may ask for; null: everything, or not told yet. */
  readonly access: Access | null
}

type Client = Pick<DaemonClient, 'watch' | 'onState' | 'state'>

export class Mirror {
  state: MirrorState
  private readonly listeners = new Set<() => void>()
  private readonly ends: readonly (() => void)[]

  constructor(client: Client) {
    const version = versionIn(client.state)
    this.state = {
      client: client.state,
      version,
      terminals: null,
      topology: null,
      settings: null,
      recovery: null,
      health: null,
      access: null,
    }
    this.ends = [
      client.onState((state) => this.change({ client: state, version: versionIn(state) ?? this.state.version })),
      client.watch({
        onAll: ({ terminals, topology, settings, recovery = null, health = null, access = null }) =>
          this.change({ terminals: inDockOrder(terminals, topology), topology, settings, recovery, health, access }),
        onEvent: (event) => this.take(event),
      }),
    ]
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  terminal(id: string | null): TerminalView | null {
    return this.state.terminals?.find((terminal) => terminal.id === id) ?? null
  }

  /** What an answer told: an event may have told more by now, and is newer. */
  learn(terminal: TerminalView): void {
    if (this.terminal(terminal.id) === null) this.put(terminal)
  }

  close(): void {
    for (const end of this.ends) end()
  }

  private take(event: DaemonEvent): void {
    const { terminals } = this.state
    switch (event.kind) {
      case 'terminal':
        return this.put(event.terminal)
      case 'closed':
        return this.change({ terminals: terminals?.filter(({ id }) => id !== event.terminal) ?? null })
      case 'topology':
        return this.change({ topology: event.topology, terminals: terminals && inDockOrder(terminals, event.topology) })
      case 'settings':
        return this.change({ settings: event.settings })
      case 'recovery':
        return this.change({ recovery: event.recovery })
      case 'health':
        return this.change({ health: event.health })
    }
  }

  private put(terminal: TerminalView): void {
    const { terminals, topology } = this.state
    if (terminals === null) return
    const isKnown = terminals.some(({ id }) => id === terminal.id)
    const all = isKnown ? terminals.map((other) => (other.id === terminal.id ? terminal : other)) : [...terminals, terminal]
    this.change({ terminals: isKnown ? all : inDockOrder(all, topology) })
  }

  private change(changes: Partial<MirrorState>): void {
    this.state = { ...this.state, ...changes }
    for (const listener of this.listeners) listener()
  }
}

const versionIn = (state: ClientState): string | null => (state.kind === 'connected' ? state.daemon.version : null)

/** A terminal without a place yet comes last. */
function inDockOrder(terminals: readonly TerminalView[], topology: TopologyView | null): readonly TerminalView[] {
  const places = new Map(topology?.dock.map((id, index) => [id, index]))
  const placeOf = ({ id }: TerminalView): number => places.get(id) ?? Number.POSITIVE_INFINITY
  return terminals.toSorted((a, b) => byNumber(placeOf(a), placeOf(b)) || a.created - b.created)
}

const byNumber = (a: number, b: number): number => (a === b ? 0 : a - b) // infinity less infinity is no number
