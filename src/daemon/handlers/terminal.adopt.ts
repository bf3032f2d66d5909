/** Takes panes of the user's own tmux into workspaces as guests, one terminal each. Nothing in that tmux changes. */
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { makeId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { isSize } from '../../base/size.ts'
import { systemReason } from '../../base/systemReason.ts'
import { socketObstacle } from '../../tmux/ownSocket.ts'
import { installedTmux } from '../../tmux/run.ts'
import { type GuestPane, isNoServer, listGuests } from '../../tmux/server.ts'
import type { Outcome, Params } from '../../wire/commands/commands.ts'
import { addWorkspace } from '../../workspace/layout/groups.ts'
import { placeTerminal, type Workspace, workspacesOf, workspaceWithId } from '../../workspace/layout/topology.ts'
import { checkNameFree, isName } from '../../workspace/name.ts'
import { findWorkspace } from '../../workspace/terminal/find.ts'
import { newTerminal } from '../../workspace/terminal/step.ts'
import type { Spec, Terminal } from '../../workspace/terminal/terminal.ts'
import type { Handler } from '../clients/handler.ts'
import { changeTopology } from '../terminals/changeTopology.ts'
import { viewOf } from '../terminals/view.ts'
import type { Parts, Viewing } from './world.ts'

type World = Pick<Parts, 'audience' | 'layout' | 'makeRunId' | 'makeTerminalId' | 'paths' | 'registry' | 'repositories' | 'waiting'> &
  Viewing

export const adoptTerminals: Handler<'terminal.adopt', World> = async (daemon, params) => {
  const socket = realPath(params.socket)
  const panes = await panesOf(daemon, { ...params, socket })
  if (!panes.ok) return panes
  const named = params.workspace === undefined ? done(null) : findWorkspace(params.workspace, workspacesOf(daemon.topology))
  if (!named.ok) return named
  const adopted: Outcome<'terminal.adopt'>['adopted'] = []
  const left: Outcome<'terminal.adopt'>['left'] = []
  for (const pane of panes.value) {
    const why = obstacleTo(daemon, socket, pane)
    const taken = why === null ? await adopt(daemon, { socket, pane, workspace: named.value }) : null
    if (taken?.ok === true) adopted.push({ pane: placeText(pane), terminal: taken.value })
    else left.push({ pane: placeText(pane), command: pane.command, why: why ?? taken?.refusal.message.replace(/\.$/, '') ?? '' })
  }
  if (adopted.length === 0) return refused(refusals.nothingToAdopt(whyNothing(left)))
  await daemon.repositories.knowUsed()
  return { ok: true, result: { adopted, left } }
}

/** One socket may have several names. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // tmux says what is wrong with it
  }
}

/** tmux puts another sign in place of these. */
const IMPOSSIBLE = /[:.\p{Cc}]/u

async function panesOf(
  { paths }: World,
  { socket, session }: Pick<Params<'terminal.adopt'>, 'socket' | 'session'>,
): Promise<Result<readonly GuestPane[]>> {
  if (session !== undefined && (session === '' || IMPOSSIBLE.test(session))) return refused(refusals.tmuxSessionInvalid(session))
  if (socket === realPath(paths.tmuxSocket)) return refused(refusals.tmuxOurs())
  const foreign = socketObstacle(socket)
  if (foreign !== null) return refused(refusals.tmuxForeign(socket, foreign))
  const installed = await installedTmux()
  if (!installed.ok) return refused(refusals.tmuxUnusable(installed.why))
  const found = await listGuests(socket, session ?? null)
  if (found.kind === 'panes') return done(found.panes)
  if (found.kind !== 'refused') return refused(refusals.tmuxUnusable(found.kind === 'done' ? 'it answers nothing' : found.why))
  if (session !== undefined && /can't find/.test(found.why)) return refused(refusals.tmuxSessionUnknown(session, socket))
  return refused(isNoServer(found.why) ? refusals.tmuxNoServer(socket) : refusals.tmuxUnusable(found.why))
}

type Wanted = { readonly socket: string; readonly pane: GuestPane; readonly workspace: Workspace }

async function adopt(daemon: World, { socket, pane, workspace }: Omit<Wanted, 'workspace'> & { readonly workspace: Workspace | null }) {
  const there = workspace === null ? await workspaceFor(daemon, pane.session) : done(workspace)
  if (!there.ok) return there
  const adopted = await adoptGuest(daemon, { socket, pane, workspace: there.value })
  return adopted.ok ? done(viewOf(adopted.value, daemon)) : adopted
}

function whyNothing(left: Outcome<'terminal.adopt'>['left']): string {
  const [first] = left
  if (first === undefined) return 'there is no pane'
  const others = left.length - 1
  return `skipped ${first.pane}: ${first.why}${others === 0 ? '' : `; and ${others} more`}`
}

/** As tmux writes it: session, window and pane. */
const placeText = ({ session, window, index }: GuestPane): string => `${session}:${window}.${index}`

/** Why a pane is left out; null where it can be taken. */
function obstacleTo(daemon: World, socket: string, pane: GuestPane): string | null {
  if (pane.isDead) return 'its program has ended'
  if (!isSize(pane.size)) return `${pane.size.cols}×${pane.size.rows} is too small to be shown`
  const known = daemon.registry.all().find((terminal) => isSamePane(terminal, socket, pane))
  if (known === undefined) return null
  const name = known.name ?? known.id
  return known.state === 'asleep'
    ? `it is already adopted as ${name}, which is asleep: run holdfast wake ${known.id} to show it again`
    : `it is already adopted as ${name}`
}

function isSamePane({ spec: { backend } }: Terminal, socket: string, { pane, pid }: GuestPane): boolean {
  return backend?.kind === 'guest' && backend.socket === socket && backend.pane === pane && backend.pid === pid
}

/** The workspace named after the session; it is made if there is none. */
async function workspaceFor(daemon: World, session: string): Promise<Result<Workspace>> {
  const name = isName(session) ? session : 'tmux'
  const there = workspacesOf(daemon.topology).find((workspace) => workspace.name === name)
  if (there !== undefined) return done(there)
  const id = makeId('workspace', randomBytes)
  const changed = await changeTopology(daemon, (topology) => addWorkspace(topology, { id, name }))
  if (!changed.ok) return changed
  const made = workspaceWithId(changed.value, id)
  return made === null ? refused(refusals.workspaceNotFound(name)) : done(made)
}

async function adoptGuest(daemon: World, { socket, pane, workspace }: Wanted): Promise<Result<Terminal>> {
  const id = daemon.makeTerminalId()
  const placed = await changeTopology(daemon, (topology) => placeTerminal(topology, { terminal: id, workspace: workspace.id }))
  if (!placed.ok) return placed
  const giveUp = async (result: Result<Terminal>): Promise<Result<Terminal>> => {
    await daemon.layout.remove(id).catch(() => undefined) // the next start drops it
    return result
  }
  // Another client may have adopted it while the place was written.
  const obstacle = obstacleTo(daemon, socket, pane)
  if (obstacle !== null) return giveUp(refused(refusals.startFailed(obstacle)))
  const born = { id, spec: specOf(socket, pane), name: freeName(daemon, pane), run: daemon.makeRunId(), now: Date.now() }
  try {
    // After a crash the pane is still there, or there is nothing to start.
    await daemon.registry.carryOut(id, newTerminal({ ...born, onRestore: 'sleep' }))
  } catch (error) {
    daemon.registry.abandon(id)
    return giveUp(refused(refusals.diskFailed(systemReason(error))))
  }
  const terminal = await daemon.waiting.started(id)
  if (terminal?.state === 'asleep' && terminal.because.kind === 'failed') {
    await daemon.registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
    return refused(refusals.startFailed(terminal.because.reason))
  }
  return terminal === null ? refused(refusals.startFailed('it was closed immediately')) : done(terminal)
}

const specOf = (socket: string, { pane, pid, session, command, cwd, size }: GuestPane): Spec => ({
  ...{ command: command === '' ? 'tmux' : command, args: [], cwd: cwd === '' ? '/' : cwd, env: {}, size },
  backend: { kind: 'guest', socket, pane, pid, session },
})

function freeName(daemon: World, pane: GuestPane): string | null {
  const names = [`${pane.session}/${pane.windowName}`, placeText(pane)]
  const isFree = (name: string): boolean => checkNameFree(name, { terminals: daemon.registry.all(), self: null }).ok
  return names.find(isFree) ?? null
}
