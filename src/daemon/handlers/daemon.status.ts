import { bytesOfRuns } from '../../client/runSizes.ts'
import type { Handler } from '../connection.ts'

export const daemonStatus: Handler<'daemon.status'> = async (daemon) => {
  const web = await daemon.web
  const terminals = daemon.registry.all()
  const asleep = terminals.filter(({ state }) => state === 'asleep').length
  return {
    ok: true,
    result: {
      pid: process.pid,
      startedAt: daemon.startedAt,
      version: daemon.version,
      home: daemon.paths.home,
      web: { url: web?.url ?? null, trouble: web?.trouble ?? null },
      terminals: { live: terminals.length - asleep, asleep },
      clients: daemon.clients.size,
      screens: { ...daemon.screens.counts, deferred: daemon.deferred.count },
      snapshots: { ...daemon.screens.snapshots },
      events: { dropped: { ...daemon.screens.dropped } },
      logs: { bytes: bytesOfRuns(daemon.paths), limit: daemon.config.logTotalBytes },
      troubles: daemon.troubles(),
    },
  }
}
