import type { ClosedView } from '../../wire/commands/closing.ts'
import type { Closed } from '../../workspace/closed.ts'
import { commandText } from '../../workspace/commandText.ts'
import { workspaceOf, workspacesOf, workspaceWithId } from '../../workspace/topology.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'

export const listClosed: Handler<'terminal.closed'> = (daemon) => {
  return Promise.resolve({ ok: true, result: daemon.closed.all().map((closed) => shown(closed, daemon)) })
}

function shown({ terminal, at, until, before, seen }: Closed, { topology }: Daemon): ClosedView {
  const { id, name, spec } = terminal
  const home = workspaceOf(before, id)
  const workspace = (home === null ? null : workspaceWithId(topology, home.id)) ?? workspacesOf(topology)[0]
  const { command, args, cwd } = spec
  return { id, name, command: commandText(command, args), directory: seen.cwd ?? cwd, workspace: workspace?.name ?? '', at, until }
}
