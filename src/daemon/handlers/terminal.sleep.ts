/** Puts a live terminal to sleep, and answers once it sleeps. */
import { assertNever } from '../../base/assertNever.ts'
import { refusals, refused } from '../../base/refusal.ts'
import { sleepAnswer } from '../../workspace/terminal/sleepAnswer.ts'
import type { Handler } from '../clients/handler.ts'
import { putToSleep } from '../sleep/putToSleep.ts'
import { END_MARGIN_MS } from '../terminals/endAndClose.ts'
import { findLive, reasonText } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import type { Parts, Viewing } from './world.ts'

type World = Pick<Parts, 'config' | 'registry' | 'waiting'> & Parameters<typeof putToSleep>[0] & Viewing

export const sleepTerminal: Handler<'terminal.sleep', World> = async (daemon, params) => {
  const found = findLive(daemon, params.terminal)
  if (!found.ok) return found
  const { id } = found.value
  const asked = await putToSleep(daemon, found.value, { force: params.force === true })
  if (!asked.ok) return asked
  const isQuiet = await daemon.waiting.ended(id, (now) => now === null || now.state === 'asleep', daemon.config.settleMs + END_MARGIN_MS)
  const terminal = daemon.registry.get(id)
  if (terminal === null) return refused(refusals.terminalNotFound(params.terminal)) // another client has closed it
  const answer = sleepAnswer(terminal, { isQuiet })
  switch (answer.kind) {
    case 'ending':
      return refused(refusals.busy(id, 'still ending'))
    case 'endedBefore':
      return refused(refusals.notLive(id, reasonText(answer.because)))
    case 'slept':
      return { ok: true, result: viewOf(terminal, daemon) }
  }
  return assertNever(answer)
}
