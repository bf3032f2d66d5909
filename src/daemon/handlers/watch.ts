import type { Handler } from '../connection.ts'
import { viewOf, workspaceViews } from '../view.ts'

export const watch: Handler<'watch'> = (daemon, _params, client) => {
  client.watch()
  const terminals = daemon.inDockOrder().map((terminal) => viewOf(terminal, daemon))
  return { ok: true, result: { terminals, workspaces: workspaceViews(daemon.topology) } }
}
