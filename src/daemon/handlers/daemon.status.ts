import type { Handler } from '../connection.ts'

export const daemonStatus: Handler<'daemon.status'> = (daemon) => {
  const terminals = daemon.registry.all()
  const asleep = terminals.filter(({ state }) => state === 'asleep').length
  return {
    ok: true,
    result: {
      pid: process.pid,
      startedAt: daemon.startedAt,
      version: daemon.version,
      home: daemon.paths.home,
      web: { url: daemon.web?.url ?? null, trouble: daemon.web?.trouble ?? null },
      terminals: { live: terminals.length - asleep, asleep },
      clients: daemon.clients.size,
      troubles: daemon.troubles(),
    },
  }
}
