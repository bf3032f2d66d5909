import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'

export const terminalHistory: Handler<'terminal.history'> = async (daemon, { terminal: ref, before, count, format }) => {
  const found = find(daemon, ref)
  if (!found.ok) return found
  try {
    const run = await daemon.showable(found.value)
    const text = run === null ? '' : await daemon.screens.readAll(await daemon.sessionOrder(found.value, run), format)
    const all = text.split('\n')
    const to = Math.min(before ?? all.length, all.length)
    const from = Math.max(0, to - count)
    return { ok: true, result: { first: 0, from, end: all.length, lines: all.slice(from, to) } }
  } catch (error) {
    return refused(refusals.historyUnreadable((error as Error).message))
  }
}
