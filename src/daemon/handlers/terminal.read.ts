import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { find, isNotKept } from '../find.ts'

export const readTerminal = (async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  if (isNotKept(found.value)) return refused(refusals.notKept(found.value.id))
  const terminal = found.value
  const { history, format } = params
  try {
    const still = history === 0 ? await daemon.stillPicture(terminal, format) : null
    if (still !== null) return { ok: true, result: still }
    const run = await daemon.showable(terminal)
    if (run === null) return { ok: true, result: { content: '', lines: { first: 0, from: 0 }, faults: [] } }
    const read = await daemon.earlier.read({ terminal, run }, { history, format })
    return { ok: true, result: { ...read, faults: [...new Set([...daemon.damageOf(run), ...read.faults])] } }
  } catch (error) {
    return refused(refusals.historyUnreadable((error as Error).message))
  }
}) satisfies Handler<'terminal.read'>
