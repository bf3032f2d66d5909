/** A daemon in this process with real programs, and doors into it: real sockets whose peers have whatever capability a test wants. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { makePlace } from '../../src/base/ids.ts'
import { DaemonClient } from '../../src/client/daemonClient.ts'
import { unixTransport } from '../../src/client/unixTransport.ts'
import { Connection } from '../../src/daemon/clients/connection.ts'
import { serverOf } from '../../src/daemon/clients/socketServer.ts'
import type { Daemon } from '../../src/daemon/compose.ts'
import { answerWith } from '../../src/daemon/handlers/index.ts'
import { type Capability, EVERYTHING } from '../../src/wire/capability.ts'
import type { CommandName, Params } from '../../src/wire/commands/commands.ts'
import type { TerminalView } from '../../src/wire/view.ts'
import { START_OVER } from '../../src/workspace/checkpoint/startOver.ts'
import { emptyTopology } from '../../src/workspace/layout/topology.ts'
import { until } from './milestone.ts'
import { makeDaemon } from './ownDaemon.ts'

export async function daemonWithPrograms(): Promise<Daemon> {
  const daemon = await makeDaemon(emptyTopology(makePlace(randomBytes)), { holdsPrograms: true })
  onTestFinished(async () => {
    for (const terminal of daemon.registry.all())
      if (terminal.state === 'live') daemon.holders.send(terminal.run, { kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
    await until(() => daemon.registry.all().every(({ state }) => state === 'asleep'), { what: 'the programs to end' })
    for (const { id } of daemon.registry.all()) await daemon.registry.quiet(id, 5_000)
    await Promise.all([daemon.agents.stop(), daemon.indexer.stop()])
    daemon.programs.stop()
    daemon.repositories.stop()
    daemon.autoSleeper.stop()
    daemon.health.stop()
    daemon.closed.stop()
    daemon.holders.stop()
  })
  return daemon
}

export type Door = {
  readonly client: DaemonClient
  /** Every byte that the daemon has sent. */
  heard(): Buffer
}

let doors = 0

export async function openDoor(daemon: Daemon, capability: Capability): Promise<Door> {
  const path = `${daemon.paths.sockets}/door${++doors}`
  const server = serverOf(
    (peer) => {
      const connection = new Connection(daemon, answerWith(daemon), peer)
      daemon.audience.clients.add(connection)
      return connection
    },
    () => capability,
  )
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const heard: Uint8Array[] = []
  const client = new DaemonClient({
    connect: (handlers) =>
      unixTransport(path)({
        ...handlers,
        onFrame: (frame) => {
          heard.push(frame.payload.slice())
          handlers.onFrame(frame)
        },
      }),
    who: 'door',
    version: '0',
    reconnect: 'never',
  })
  const link = await client.ready()
  if (!link.ok) throw new Error(link.refusal.message)
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return { client, heard: () => Buffer.concat(heard) }
}

/** Two terminals: the one that limited peers are given, and one that is none of their business. */
export async function twoTerminals(daemon: Daemon): Promise<{ readonly own: TerminalView; readonly foreign: TerminalView }> {
  const { client } = await openDoor(daemon, EVERYTHING)
  const make = async (name: string, script: string): Promise<TerminalView> => {
    const cwd = `${daemon.paths.home}/${name}-directory`
    mkdirSync(cwd, { recursive: true })
    const made = await client.request('terminal.new', { name, cwd, env: {}, command: '/bin/sh', args: ['-c', script] })
    if (!made.ok) throw new Error(made.refusal.message)
    return made.value.result
  }
  const says = (word: string): string => `printf '\\033]0;${word}-title\\007'; echo ${word}-output; exec cat`
  const own = await make('alpha', says('alpha'))
  const foreign = await make('bravo', says('bravo'))
  for (const [terminal, pattern] of [[own, 'alpha-output'] as const, [foreign, 'bravo-output'] as const]) {
    const shown = await client.request('terminal.wait', { terminal: terminal.id, until: { kind: 'text', pattern }, timeoutMs: 15_000 })
    if (!shown.ok) throw new Error(shown.refusal.message)
  }
  return { own, foreign }
}

export type CapabilityName = 'everything' | 'view' | 'report' | 'read' | 'send'

export function capabilityNamed(name: CapabilityName, terminal: string): Capability {
  const id = terminal as Extract<Capability, { kind: 'program' }>['terminal']
  if (name === 'everything') return EVERYTHING
  return name === 'view' ? { kind: 'view', terminals: [id] } : { kind: 'program', terminal: id, may: name }
}

/** Parameters that each command takes, about the terminal that is named. A new command does not compile without. */
export const samplesFor = (daemon: Daemon, terminal: string): { readonly [Name in CommandName]: Params<Name> } => {
  const [group] = daemon.topology.groups
  const workspace = group?.workspaces[0]?.id ?? ''
  const inHome = (name: string): string => `${daemon.paths.home}/${name}`
  return {
    'terminal.list': {},
    'terminal.new': { cwd: daemon.paths.home, env: {}, command: '/bin/true', args: [] },
    'terminal.adopt': { socket: inHome('no-tmux') },
    'terminal.attach': { terminal },
    'terminal.open': { terminal, window: 65_536 },
    'terminal.send': { terminal, text: 'x' },
    'terminal.look': { terminal, size: { cols: 40, rows: 10 }, lead: 'yes' },
    'terminal.resize': { terminal, size: { cols: 50, rows: 12 } },
    'terminal.read': { terminal, history: 'all', format: 'text' },
    'terminal.history': { terminal, count: 100, format: 'text' },
    'terminal.position': { terminal },
    'terminal.wait': { terminal, until: { kind: 'text', pattern: 'output' }, timeoutMs: 1_000 },
    'terminal.rename': { terminal, name: 'renamed' },
    'terminal.theme': { terminal, theme: null },
    'terminal.pin': { terminal, pinned: true },
    'terminal.mute': { terminal, muted: true },
    'terminal.seen': { terminal },
    'terminal.wake': { terminal },
    'terminal.sleep': { terminal },
    'terminal.move': { terminal, to: workspace },
    'terminal.closing': { terminal },
    'terminal.close': { terminal },
    'terminal.closed': {},
    'terminal.reopen': { terminal },
    'device.list': {},
    'device.rename': { device: 'nothing', name: 'x' },
    'device.revoke': { devices: ['nothing'] },
    'device.logOut': {},
    'device.log': { limit: 1 },
    'forget.plan': { what: { kind: 'closed' } },
    'forget.apply': { what: { kind: 'closed' } },
    'agent.log': { terminal },
    'agent.report': { terminal, agent: 'claude', event: 'Stop', payload: {}, reporter: { pid: process.pid } },
    'agent.installed': {},
    'search.query': { query: 'output', limit: 10, context: 0, terminal },
    'health.show': {},
    'recovery.show': {},
    'recovery.answer': { wake: [terminal] },
    'restore.plan': {},
    'restore.apply': {},
    'restore.set': { terminal, onRestore: 'wake' },
    'workspace.export': { file: inHome('export'), force: true },
    'workspace.import': { file: inHome('import'), planOnly: true },
    'workspace.list': {},
    'workspace.new': { name: 'another' },
    'workspace.rename': { workspace, name: 'renamed' },
    'workspace.close': { workspace },
    'workspace.view': { workspace, view: 'canvas' },
    'workspace.move': { workspace, index: 0 },
    'workspace.startOver': { confirm: START_OVER },
    'group.list': {},
    'group.new': { name: 'another' },
    'group.rename': { group: group?.id ?? '', name: 'renamed' },
    'group.color': { group: group?.id ?? '', color: 'red' },
    'group.move': { group: group?.id ?? '', index: 0 },
    'group.close': { group: group?.id ?? '' },
    'layout.sizes': { workspace, path: [], sizes: [1, 2] },
    'layout.activate': { terminal },
    'layout.zoom': { terminal, zoomed: true },
    'layout.balance': { workspace },
    'layout.preset': { workspace, slots: 1 },
    'canvas.place': { terminal, rect: { x: 0, y: 0, width: 100, height: 100 } },
    'canvas.arrange': { workspace },
    'dock.move': { terminal, index: 0 },
    'checkpoint.list': {},
    'checkpoint.show': { checkpoint: 'latest' },
    'checkpoint.screen': { checkpoint: 'latest', terminal, format: 'text' },
    'checkpoint.diff': { from: 'latest', to: 'now' },
    'checkpoint.create': {},
    'checkpoint.delete': { checkpoint: 'latest', force: true },
    'daemon.status': {},
    'daemon.stop': { all: false },
    'web.login': {},
    watch: {},
    'directory.complete': { path: daemon.paths.home, limit: 10 },
    'directory.recent': {},
    'repository.show': { path: daemon.paths.home },
    'repository.addWorktree': { repository: daemon.paths.home, branch: 'b' },
    'config.show': {},
    'config.set': { key: 'settle_ms', value: 100 },
  }
}
