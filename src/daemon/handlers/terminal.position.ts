import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'

export const terminalPosition: Handler<'terminal.position'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  try {
    const run = await daemon.showable(found.value)
    if (run === null) return { ok: true, result: { run: null, seq: 0 } }
    const { seq } = await daemon.screens.paint(run, { history: 0 })
    return { ok: true, result: { run, seq } }
  } catch (error) {
    return refused(refusals.historyUnreadable((error as Error).message))
  }
}
