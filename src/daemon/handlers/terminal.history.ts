import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { find, isNotKept } from '../find.ts'

const NOTHING = { first: 0, from: 0, end: 0, lines: [] }

export const terminalHistory: Handler<'terminal.history'> = async (daemon, { terminal: ref, before = null, count, format }) => {
  const found = find(daemon, ref)
  if (!found.ok) return found
  if (isNotKept(found.value)) return refused(refusals.notKept(found.value.id))
  try {
    const run = await daemon.showable(found.value)
    if (run === null) return { ok: true, result: NOTHING }
    const page = await daemon.earlier.page({ terminal: found.value, run }, { before, count, format })
    return { ok: true, result: { ...page, lines: [...page.lines] } }
  } catch (error) {
    return refused(refusals.historyUnreadable((error as Error).message))
  }
}
