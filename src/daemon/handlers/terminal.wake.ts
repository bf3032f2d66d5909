import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { checkProgram } from '../program.ts'
import { viewOf } from '../view.ts'

export const wakeTerminal: Handler<'terminal.wake'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const { id, spec, state } = found.value
  if (state === 'live') return refused(refusals.alreadyLive(id))
  if (state !== 'asleep') return refused(refusals.busy(id, state))
  const checked = checkProgram(spec, params.inherited)
  if (!checked.ok) return checked
  const run = daemon.makeRunId()
  if (params.inherited !== undefined) daemon.inherited.set(run, params.inherited)
  try {
    // Whoever looks at it gets the first prompt at the right size, not a second one after a resize.
    const size = daemon.sizes.wanted(id)
    if (size !== null) await daemon.registry.apply(id, { kind: 'resized', size })
    await daemon.registry.apply(id, { kind: 'wakeAsked', run, mode: 'fresh' })
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  const terminal = await daemon.started(id)
  if (terminal === null) return refused(refusals.terminalNotFound(params.terminal))
  if (terminal.state === 'asleep' && terminal.because.kind === 'failed') return refused(refusals.startFailed(terminal.because.reason))
  return { ok: true, result: viewOf(terminal, daemon) }
}
