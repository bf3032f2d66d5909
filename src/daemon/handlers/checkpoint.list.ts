import type { Handler } from '../connection.ts'
import { summaryView } from '../findCheckpoint.ts'

export const listCheckpoints: Handler<'checkpoint.list'> = async (daemon) => ({
  ok: true,
  result: (await daemon.store.checkpoints()).map(summaryView),
})
