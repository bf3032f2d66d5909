import fc from 'fast-check'
import type { CheckpointId, SessionId, TerminalId, WorkspaceId } from '../../src/base/ids.ts'
import type { Checkpoint, CheckpointTerminal } from '../../src/workspace/checkpoint/checkpoint.ts'
import { moveTile } from '../../src/workspace/layout/canvas.ts'
import { addGroup, addWorkspace } from '../../src/workspace/layout/groups.ts'
import { activate, type Where, zoom } from '../../src/workspace/layout/layout.ts'
import {
  emptyTopology,
  moveInDock,
  moveTerminal,
  placeTerminal,
  rearrange,
  redraw,
  removeTerminal,
  setView,
  type Topology,
  workspaceOf,
  workspacesOf,
} from '../../src/workspace/layout/topology.ts'
import type { Terminal } from '../../src/workspace/terminal/terminal.ts'
import { arbitraryRestore, arbitraryTerminal, asleep, groupId, runId, terminalId, workspaceId } from './terminals.ts'

/** Workspaces with terminals in them, for tests of checkpoints. A number always makes the same id. */
export const checkpointId = (number: number) => `c${String(number).padStart(10, '0')}` as CheckpointId
const sessionId = (number: number) => `s${String(number).padStart(10, '0')}` as SessionId

export const entry = (terminal: Terminal, changes: Partial<CheckpointTerminal> = {}): CheckpointTerminal => ({
  terminal,
  cwd: null,
  agent: null,
  env: {},
  screen: null,
  ...changes,
})

export function checkpointOf(state: { topology: Topology; terminals: readonly CheckpointTerminal[] }): Checkpoint {
  const head = { id: checkpointId(1), session: sessionId(1), at: 5, kind: 'manual', note: null, stateHash: '', bytes: 0 } as const
  return { ...head, knownGood: state.terminals.length > 0, ...state }
}

export const empty: Topology = emptyTopology({ group: groupId(1), workspace: workspaceId(1) })

export function placed(...terminals: readonly Terminal[]): Topology {
  return terminals.reduce((topology, { id }) => must(placeTerminal(topology, { terminal: id, workspace: workspaceId(1) })), empty)
}

function must(result: ReturnType<typeof placeTerminal>): Topology {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}

/** One thing that a user does to a workspace; numbers are taken modulo what there is. */
export type Act = {
  readonly kind: 'open' | 'close' | 'move' | 'dock' | 'tile' | 'view' | 'zoom' | 'workspace' | 'group'
  readonly a: number
  readonly b: number
}
export const arbitraryActs = (maxLength: number): fc.Arbitrary<readonly Act[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Act['kind']>('open', 'open', 'open', 'close', 'move', 'dock', 'tile', 'view', 'zoom', 'workspace', 'group'),
      a: fc.nat(60),
      b: fc.nat(60),
    }),
    { maxLength },
  )

const WHERE: readonly Where[] = ['left', 'right', 'top', 'bottom', 'center']

/** Applies what can be applied; what does not fit changes nothing. */
export function act(topology: Topology, { kind, a, b }: Act): Topology {
  const ids = topology.dock
  const id = ids[a % Math.max(1, ids.length)]
  const workspaces = workspacesOf(topology)
  const to = (workspaces[b % workspaces.length]?.id ?? workspaceId(1)) as WorkspaceId
  const keepIf = (result: ReturnType<typeof placeTerminal>): Topology => (result.ok ? result.value : topology)
  if (kind === 'open')
    return ids.includes(terminalId(a)) ? topology : keepIf(placeTerminal(topology, { terminal: terminalId(a), workspace: to }))
  if (kind === 'workspace')
    return has(workspaces, workspaceId(10 + a)) ? topology : keepIf(addWorkspace(topology, { id: workspaceId(10 + a), name: `w${b}` }))
  if (kind === 'group')
    return has(topology.groups, groupId(10 + a))
      ? topology
      : keepIf(addGroup(topology, { id: groupId(10 + a), name: `g${b}`, color: 'red' }))
  if (kind === 'view') return keepIf(setView(topology, to, a % 2 === 0 ? 'canvas' : 'split'))
  return id === undefined ? topology : actOn(topology, { kind, a, b }, id)
}

function actOn(topology: Topology, { kind, a, b }: Act, id: TerminalId): Topology {
  const keepIf = (result: ReturnType<typeof placeTerminal>): Topology => (result.ok ? result.value : topology)
  const workspaces = workspacesOf(topology)
  const home = workspaceOf(topology, id)?.id ?? workspaceId(1)
  const other = topology.dock[b % topology.dock.length] ?? id
  if (kind === 'close') return removeTerminal(topology, id)
  if (kind === 'dock') return moveInDock(topology, { terminal: id, index: b % topology.dock.length })
  if (kind === 'tile') return keepIf(redraw(topology, home, (canvas) => moveTile(canvas, id, { x: a * 10, y: b * 10 })))
  if (kind === 'zoom') return keepIf(rearrange(topology, home, (layout) => (a % 2 === 0 ? zoom(layout, id) : activate(layout, id))))
  const target = workspaceOf(topology, other)?.id ?? workspaces[b % workspaces.length]?.id ?? workspaceId(1)
  const place = { at: other, where: WHERE[(a + b) % WHERE.length] ?? 'center' } as const
  return keepIf(moveTerminal(topology, { terminal: id, to: target, ...(other !== id && { place }) }))
}

const has = (things: readonly { readonly id: string }[], id: string): boolean => things.some((thing) => thing.id === id)

/** Terminals for a topology, in any state; which one is in which is chosen by `seeds`. */
export const arbitraryState = (maxActs: number): fc.Arbitrary<{ topology: Topology; terminals: readonly CheckpointTerminal[] }> =>
  arbitraryActs(maxActs).chain((acts) => {
    const topology = acts.reduce(act, empty)
    return fc.tuple(...topology.dock.map(arbitraryEntry)).map((terminals) => ({ topology, terminals }))
  })

export const arbitraryEntry = (id: TerminalId): fc.Arbitrary<CheckpointTerminal> => {
  const number = numberOf(id)
  const own = fc.integer({ min: 0, max: 3 }).map((n) => runId(number * 10 + n))
  const details = fc.record({
    name: fc.constantFrom(null, `n${number}`),
    restore: arbitraryRestore,
    command: fc.constantFrom('zsh', '/bin/bash', 'claude', 'make'),
    args: fc.constantFrom<readonly string[]>([], ['-l'], ['-c', 'echo']),
  })
  return fc
    .record({ terminal: arbitraryTerminal(id, own), details, cwd: fc.constantFrom(null, '/work', '/home/ada'), shown: fc.boolean() })
    .map(({ terminal, details: { name, restore, command, args }, cwd, shown }) => {
      const record: Terminal = { ...terminal, name, restore, spec: { ...terminal.spec, command, args } }
      const run = record.state === 'asleep' ? record.lastRun : record.run
      return entry(record, { cwd, screen: shown && run !== null ? { run, seq: 5, hash: `h${number}` } : null })
    })
}

export const anAsleepEntry = (number: number): CheckpointTerminal => entry(asleep({ id: terminalId(number) }))

/** The number that made the id. */
const numberOf = (id: TerminalId): number =>
  Array.from({ length: 100 }, (_, number) => number).find((number) => terminalId(number) === id) ?? 0
