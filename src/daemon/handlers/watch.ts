import type { Handler } from '../connection.ts'
import { pageSettings } from '../settings.ts'
import { topologyView, viewOf } from '../view.ts'

export const watch: Handler<'watch'> = async (daemon, _params, client) => {
  await daemon.knowRepositories()
  client.watch()
  const terminals = daemon.inDockOrder().map((terminal) => viewOf(terminal, daemon))
  const { topology, config, lost, health } = daemon
  const result = { terminals, topology: topologyView(topology), settings: pageSettings(config), recovery: lost.open, health: health.view() }
  return { ok: true, result }
}
