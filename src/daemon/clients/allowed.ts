/**
 * What a peer may do, and what it is shown: the one place that decides it, for commands, input, events, history, search, stills and
 * files. A peer with everything passes unchanged. Any other one is refused what its capability does not cover, names terminals among
 * those it sees (so that no answer tells of another one), and is shown nothing of the rest.
 */
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import { type Access, type Capability, PROGRAM_MAY, type ProgramMay } from '../../wire/capability.ts'
import { COMMANDS, type CommandName, type Outcome, type Params } from '../../wire/commands/commands.ts'
import type { Need } from '../../wire/commands/row.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { TopologyView } from '../../wire/topologyView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { keepOnly, terminalsOf } from '../../workspace/layout/layout.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import type { Reply } from './handler.ts'

/** Whether it covers the need for the terminals that the peer sees. */
export function covers(capability: Capability, need: Need): boolean {
  switch (capability.kind) {
    case 'everything':
      return true
    case 'view':
      return need === 'read'
    case 'program':
      return need !== 'everything' && PROGRAM_MAY.indexOf(need) <= PROGRAM_MAY.indexOf(capability.may)
  }
}

/** What a limited peer is told it may do: from the same table that refuses the rest. */
function accessOf(capability: Capability): Access {
  const names = Object.keys(COMMANDS) as CommandName[]
  return {
    sees: capability.kind !== 'program' && (capability.kind === 'everything' || capability.terminals === 'all') ? 'all' : 'some',
    commands: names.filter((name) => covers(capability, COMMANDS[name].needs)),
  }
}

export function sees(capability: Capability, terminal: string): boolean {
  switch (capability.kind) {
    case 'everything':
      return true
    case 'view':
      return capability.terminals === 'all' || capability.terminals.some((seen) => seen === terminal)
    case 'program':
      return capability.terminal === terminal
  }
}

export const allowsTerminal = (capability: Capability, terminal: string, need: Need): boolean =>
  covers(capability, need) && sees(capability, terminal)

type Named = { readonly id: string; readonly name: string | null }
type Wanted = { readonly ref: string; readonly need: Need }

/** The terminal that is meant, among those the peer sees. A limited peer gets the same answer for one it does not see as for none. */
export function reach<Item extends Named>(capability: Capability, { ref, need }: Wanted, terminals: readonly Item[]): Result<Item> {
  if (!covers(capability, need)) return refused(mayNot(capability, need))
  const found = findTerminal(
    ref,
    terminals.filter(({ id }) => sees(capability, id)),
  )
  return found.ok || capability.kind !== 'program' ? found : refused(mayNot(capability, 'everything'))
}

/** The parameters with the terminal's id in place of what it was called, or why the peer may not. */
export function allowedParams<Name extends CommandName>(
  capability: Capability,
  { command, params }: { readonly command: Name; readonly params: Params<Name> },
  terminals: () => readonly Named[],
): Result<Params<Name>> {
  const need = COMMANDS[command].needs
  if (!covers(capability, need)) return refused(mayNot(capability, need))
  if (capability.kind === 'everything' || !('terminal' in params) || params.terminal === undefined) return done(params)
  const found = reach(capability, { ref: params.terminal, need }, terminals())
  return found.ok ? done({ ...params, terminal: found.value.id }) : found
}

const DEEDS: Readonly<Record<ProgramMay, string>> = {
  report: 'report on it',
  read: 'report on it and read it',
  send: 'report on it, read it and type into it',
}

function mayNot(capability: Capability, need: Need): Refusal {
  if (capability.kind !== 'program') return refusals.viewerMayNot()
  return refusals.programMayNot(capability.terminal, DEEDS[capability.may], need === 'everything' ? 'all' : need)
}

/** Those that some limited peer may ask for. */
type Limited = { [Name in CommandName]: (typeof COMMANDS)[Name]['needs'] extends 'everything' ? never : Name }[CommandName]

/** What a limited peer is shown of each result. A command that it may ask for and that is not here does not compile. */
const SHOWN: { readonly [Name in Limited]: (result: Outcome<Name>, capability: Capability) => Outcome<Name> } = {
  'agent.report': (result) => result,
  'device.logOut': (result) => result,
  'terminal.send': (result) => result,
  'terminal.read': (result) => result,
  'terminal.history': (result) => result,
  'terminal.position': (result) => result,
  'terminal.wait': (result) => result,
  'terminal.open': (result) => ({ ...result, terminal: terminalShown(result.terminal) }),
  'terminal.list': (terminals, capability) => terminalsShown(terminals, capability),
  // The handler has looked through the runs of these terminals only: what is left out here would still be counted.
  'search.query': (result, capability) => ({
    ...result,
    hits: result.hits.filter(({ terminal }) => sees(capability, terminal)),
    pending: result.pending.filter(({ terminal }) => sees(capability, terminal)),
    terminals: terminalsShown(result.terminals, capability),
  }),
  watch: ({ terminals, topology, settings }, capability) => ({
    terminals: terminalsShown(terminals, capability),
    topology: topologyShown(topology, capability),
    settings,
    recovery: null,
    access: accessOf(capability),
  }),
}

export function shownReply(capability: Capability, command: CommandName, reply: Reply<CommandName>): Reply<CommandName> {
  if (capability.kind === 'everything' || !reply.ok) return reply
  // `covers` has let pass only those that are in the table.
  const shown = SHOWN[command as Limited] as (result: unknown, capability: Capability) => Outcome<CommandName>
  return { ...reply, result: shown(reply.result, capability) }
}

export type ShownEvent = (event: DaemonEvent) => DaemonEvent | null

/** What a peer is told of what happens; null: nothing. A topology that looks the same to it tells of other terminals only. */
export function eventsFor(capabilityNow: () => Capability): ShownEvent {
  let lastTopology = ''
  return (event) => {
    const capability = capabilityNow()
    if (capability.kind === 'everything') return event
    if (!covers(capability, 'read')) return null
    switch (event.kind) {
      case 'terminal':
        return sees(capability, event.terminal.id) ? { ...event, terminal: terminalShown(event.terminal) } : null
      case 'closed':
        return sees(capability, event.terminal) ? event : null
      case 'topology': {
        const topology = topologyShown(event.topology, capability)
        const text = JSON.stringify(topology)
        if (text === lastTopology) return null
        lastTopology = text
        return { ...event, topology }
      }
      case 'settings':
        return event
      case 'recovery':
      case 'health':
        return null
    }
  }
}

const terminalsShown = (terminals: readonly TerminalView[], capability: Capability): TerminalView[] =>
  terminals.filter(({ id }) => sees(capability, id)).map(terminalShown)

/** Without who else is connected. */
function terminalShown(terminal: TerminalView): TerminalView {
  const { kind } = terminal.sizedBy
  return kind === 'client' || kind === 'smallest' ? { ...terminal, sizedBy: { kind: 'nobody' } } : terminal
}

/** Only where its terminals stand: workspaces and groups without one of them are left out. */
function topologyShown({ groups, dock }: TopologyView, capability: Capability): TopologyView {
  const isSeen = (id: string): boolean => sees(capability, id)
  const shown = groups.map((group) => ({
    ...group,
    workspaces: group.workspaces
      .map(({ layout, canvas, ...workspace }) => ({
        ...workspace,
        layout: keepOnly(layout, isSeen),
        canvas: Object.fromEntries(Object.entries(canvas).filter(([id]) => isSeen(id))),
      }))
      .filter(({ layout }) => terminalsOf(layout).length > 0),
  }))
  return { groups: shown.filter(({ workspaces }) => workspaces.length > 0), dock: dock.filter(isSeen) }
}
