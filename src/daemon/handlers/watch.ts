import type { Handler } from '../connection.ts'
import { pageSettings } from '../settings.ts'
import { topologyView, viewOf } from '../view.ts'

export const watch: Handler<'watch'> = async (daemon, _params, client) => {
  await daemon.knowRepositories()
  client.watch()
  const terminals = daemon.inDockOrder().map((terminal) => viewOf(terminal, daemon))
  return { ok: true, result: { terminals, topology: topologyView(daemon.topology), settings: pageSettings(daemon.config) } }
}
