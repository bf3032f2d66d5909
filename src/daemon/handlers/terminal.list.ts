import type { Handler } from '../connection.ts'
import { viewOf } from '../view.ts'

const STATUS_WITHIN_MS = 150 // the foreground program is worth a look, not a wait

export const listTerminals: Handler<'terminal.list'> = async (daemon) => {
  await Promise.all([
    daemon.knowRepositories(),
    daemon.activity.look(),
    ...daemon.registry.all().map(async (terminal) => {
      if (terminal.state !== 'live') return
      const status = await daemon.holders.refresh(terminal.run, STATUS_WITHIN_MS)
      if (status !== null) daemon.react(terminal.id, { kind: 'foregroundSeen', run: terminal.run, foreground: status.foreground })
    }),
  ])
  return { ok: true, result: daemon.inDockOrder().map((terminal) => viewOf(terminal, daemon)) }
}
