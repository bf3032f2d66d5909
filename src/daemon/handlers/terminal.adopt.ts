import { realpathSync } from 'node:fs'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { socketObstacle } from '../../tmux/ownSocket.ts'
import { installedTmux } from '../../tmux/run.ts'
import { type GuestPane, isNoServer, listGuests } from '../../tmux/server.ts'
import type { Outcome, Params } from '../../wire/commands.ts'
import { findWorkspace } from '../../workspace/find.ts'
import { type Workspace, workspacesOf } from '../../workspace/topology.ts'
import { adoptGuest, obstacleTo, placeText, workspaceFor } from '../adoptGuests.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { viewOf } from '../view.ts'

export const adoptTerminals: Handler<'terminal.adopt'> = async (daemon, params) => {
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
  await daemon.knowRepositories()
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
  { paths }: Daemon,
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

type Wanted = { readonly socket: string; readonly pane: GuestPane; readonly workspace: Workspace | null }

async function adopt(daemon: Daemon, { socket, pane, workspace }: Wanted) {
  const there = workspace === null ? await workspaceFor(daemon, pane.session) : done(workspace)
  if (!there.ok) return there
  const adopted = await adoptGuest(daemon, { socket, pane, workspace: there.value })
  return adopted.ok ? done(viewOf(adopted.value, daemon)) : adopted
}

function whyNothing(left: Outcome<'terminal.adopt'>['left']): string {
  const [first] = left
  if (first === undefined) return 'there is no pane'
  const others = left.length - 1
  return `${first.pane} is left out, ${first.why}${others === 0 ? '' : `; and so are ${others} more`}`
}
