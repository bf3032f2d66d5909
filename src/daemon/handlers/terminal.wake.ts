import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Params } from '../../wire/commands.ts'
import { argumentsText, commandText } from '../../workspace/commandText.ts'
import { AGENTS_BY_ID, type Argv, argvFor, baseName, chosenConversation, isConversationId } from '../../workspace/resume.ts'
import type { Asleep, Terminal } from '../../workspace/terminal.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { find } from '../find.ts'
import { checkProgram } from '../program.ts'
import { viewOf } from '../view.ts'

const HEARD_WITHIN_MS = 3_000

export const wakeTerminal: Handler<'terminal.wake'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const { id, spec, state } = found.value
  if (state === 'live') return refused(refusals.alreadyLive(id))
  if (state !== 'asleep') return refused(refusals.busy(id, state))
  const chosen = choose(daemon, found.value, params)
  if (!chosen.ok) return chosen
  const argv = chosen.value
  const checked = checkProgram({ ...spec, command: argv.command }, params.inherited)
  if (!checked.ok) return checked
  const run = daemon.makeRunId()
  if (params.inherited !== undefined) daemon.inherited.set(run, params.inherited)
  const { mode = 'resume', conversation } = params
  try {
    // Whoever looks at it gets the first prompt at the right size, not a second one after a resize.
    const size = daemon.sizes.wanted(id)
    if (size !== null) await daemon.registry.apply(id, { kind: 'resized', size })
    await daemon.registry.apply(id, { kind: 'wakeAsked', run, mode, ...(conversation === undefined ? {} : { conversation }) })
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  const terminal = await startedOrFailed(daemon, id)
  if (terminal === null) return refused(refusals.terminalNotFound(params.terminal))
  if (terminal.state === 'asleep' && terminal.because.kind === 'failed') {
    const { reason, resumed } = terminal.because
    return refused(resumed === null ? refusals.startFailed(reason) : refusals.resumeFailed(terminal.name ?? id, reason))
  }
  return { ok: true, result: { ...viewOf(terminal, daemon), started: { from: argv.from, text: textOf(argv, spec.command) } } }
}

/** A program that ends at once has its last words read before anybody is told of its end. */
async function startedOrFailed(daemon: Daemon, id: TerminalId): Promise<Terminal | null> {
  const terminal = await daemon.started(id)
  if (terminal?.state !== 'asleep') return terminal
  await daemon.registry.quiet(id, HEARD_WITHIN_MS)
  return daemon.registry.get(id)
}

/** What will be started; a conversation that cannot be resumed is refused, never replaced by something else. */
function choose(daemon: Daemon, terminal: Asleep, { mode = 'resume', conversation }: Params<'terminal.wake'>): Result<Argv> {
  if (conversation === undefined) return done(argvFor(terminal, mode, daemon.config.resume))
  if (mode === 'fresh') return refused(refusals.paramsInvalid('a fresh start has no conversation'))
  if (!isConversationId(conversation)) return refused(refusals.conversationInvalid(conversation))
  const restore = chosenConversation(terminal, conversation)
  if (restore === null) return refused(refusals.conversationUnsupported(baseName(terminal.spec.command), AGENTS_BY_ID))
  return done(argvFor({ ...terminal, restore }, 'resume', daemon.config.resume))
}

/** The command is left out where it is the terminal's own. */
const textOf = ({ command, args }: Argv, own: string): string =>
  command === own && args.length > 0 ? argumentsText(args) : commandText(command, args)
