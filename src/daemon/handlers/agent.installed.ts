import { findInstalled } from '../agents/installed.ts'
import type { Handler } from '../connection.ts'
import { PATIENCE } from '../places/patience.ts'

/** By the PATH of a terminal that nobody hands an environment to: the daemon's own. */
export const installedAgents: Handler<'agent.installed'> = async (daemon) => {
  const asked = await PATIENCE.ask(() => findInstalled(daemon.config.agents, process.env['PATH'] ?? ''))
  return { ok: true, result: asked.kind === 'answer' ? asked.value : [] }
}
