/** Takes panes of the user's own tmux into workspaces as guests, one terminal each. Nothing in that tmux is changed by it. */
import { randomBytes } from 'node:crypto'
import { makeId } from '../base/ids.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { isSize } from '../base/size.ts'
import { systemReason } from '../base/systemReason.ts'
import type { GuestPane } from '../tmux/server.ts'
import { addWorkspace } from '../workspace/groups.ts'
import { checkNameFree, isName } from '../workspace/name.ts'
import { newTerminal } from '../workspace/step.ts'
import type { Spec, Terminal } from '../workspace/terminal.ts'
import { placeTerminal, type Workspace, workspacesOf, workspaceWithId } from '../workspace/topology.ts'
import { changeTopology } from './changeTopology.ts'
import type { Daemon } from './daemon.ts'

/** As tmux writes it: session, window and pane. */
export const placeText = ({ session, window, index }: GuestPane): string => `${session}:${window}.${index}`

/** Why a pane is left out; null where it can be taken. */
export function obstacleTo(daemon: Daemon, socket: string, pane: GuestPane): string | null {
  if (pane.isDead) return 'its program has ended'
  if (!isSize(pane.size)) return `${pane.size.cols}×${pane.size.rows} is too small to be shown`
  const known = daemon.registry.all().find((terminal) => isSamePane(terminal, socket, pane))
  if (known === undefined) return null
  const name = known.name ?? known.id
  return known.state === 'asleep'
    ? `it is ${name} already, which sleeps: holdfast wake ${known.id} shows it again`
    : `it is ${name} already`
}

function isSamePane({ spec: { backend } }: Terminal, socket: string, { pane, pid }: GuestPane): boolean {
  return backend?.kind === 'guest' && backend.socket === socket && backend.pane === pane && backend.pid === pid
}

/** The one that is called after the session, which is made where there is none. */
export async function workspaceFor(daemon: Daemon, session: string): Promise<Result<Workspace>> {
  const name = isName(session) ? session : 'tmux'
  const there = workspacesOf(daemon.topology).find((workspace) => workspace.name === name)
  if (there !== undefined) return done(there)
  const id = makeId('workspace', randomBytes)
  const changed = await changeTopology(daemon, (topology) => addWorkspace(topology, { id, name }))
  if (!changed.ok) return changed
  const made = workspaceWithId(changed.value, id)
  return made === null ? refused(refusals.workspaceNotFound(name)) : done(made)
}

type Wanted = { readonly socket: string; readonly pane: GuestPane; readonly workspace: Workspace }

export async function adoptGuest(daemon: Daemon, { socket, pane, workspace }: Wanted): Promise<Result<Terminal>> {
  const id = daemon.makeTerminalId()
  const placed = await changeTopology(daemon, (topology) => placeTerminal(topology, { terminal: id, workspace: workspace.id }))
  if (!placed.ok) return placed
  const giveUp = async (result: Result<Terminal>): Promise<Result<Terminal>> => {
    await daemon.removeFromTopology(id).catch(() => undefined) // the next start drops it
    return result
  }
  // Somebody else may have been quicker, while this one's place was written.
  const obstacle = obstacleTo(daemon, socket, pane)
  if (obstacle !== null) return giveUp(refused(refusals.startFailed(obstacle)))
  const born = { id, spec: specOf(socket, pane), name: freeName(daemon, pane), run: daemon.makeRunId(), now: Date.now() }
  try {
    // After a crash it is either still there, or there is nothing to start.
    await daemon.registry.carryOut(id, newTerminal({ ...born, onRestore: 'sleep' }))
  } catch (error) {
    daemon.registry.abandon(id)
    return giveUp(refused(refusals.diskFailed(systemReason(error))))
  }
  const terminal = await daemon.started(id)
  if (terminal?.state === 'asleep' && terminal.because.kind === 'failed') {
    await daemon.registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
    return refused(refusals.startFailed(terminal.because.reason))
  }
  return terminal === null ? refused(refusals.startFailed('it was closed again at once')) : done(terminal)
}

const specOf = (socket: string, { pane, pid, session, command, cwd, size }: GuestPane): Spec => ({
  ...{ command: command === '' ? 'tmux' : command, args: [], cwd: cwd === '' ? '/' : cwd, env: {}, size },
  backend: { kind: 'guest', socket, pane, pid, session },
})

function freeName(daemon: Daemon, pane: GuestPane): string | null {
  const names = [`${pane.session}/${pane.windowName}`, placeText(pane)]
  const isFree = (name: string): boolean => checkNameFree(name, { terminals: daemon.registry.all(), self: null }).ok
  return names.find(isFree) ?? null
}
