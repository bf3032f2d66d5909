import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Handler } from '../connection.ts'
import { planWakesOf, wakeInTurn } from '../recovery.ts'

/** The answer is kept before anything starts: a daemon that dies on the way leaves the rest asleep, and does not ask again. */
export const answerRecovery: Handler<'recovery.answer'> = async (daemon, { wake, mode = 'resume' }) => {
  const { open } = daemon.lost
  if (open === null) return refused(refusals.recoveryAnswered())
  const stranger = wake.find((id) => daemon.registry.all().every((terminal) => terminal.id !== id))
  if (stranger !== undefined) return refused(refusals.terminalNotFound(stranger))
  const chosen = open.terminals.filter((id) => wake.includes(id))
  const wakes = await planWakesOf(daemon, chosen, mode)
  try {
    await daemon.lost.answer()
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  wakeInTurn(daemon, wakes)
  return { ok: true, result: { wakes: wakes.map(({ id }) => id) } }
}
