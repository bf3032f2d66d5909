/** Wakes a terminal: chooses the conversation, checks the start, and answers once the program runs or has failed. */
import { baseName } from '../../agents/program.ts'
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Params } from '../../wire/commands/commands.ts'
import { argumentsText, commandText } from '../../workspace/command/commandText.ts'
import { agentsByConversation, chooses, chosenConversation, isConversationId } from '../../workspace/resume/chosenConversation.ts'
import type { Argv, Conversation } from '../../workspace/terminal/resume.ts'
import { type Asleep, isGuest, type Restore, type Terminal } from '../../workspace/terminal/terminal.ts'
import { offeredWrapper } from '../../workspace/wrapper/wrapper.ts'
import { waysOf } from '../agents/ways.ts'
import type { Handler } from '../clients/handler.ts'
import { find } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import { beginWake, type WakeWorld } from '../terminals/wake.ts'
import type { Parts, Viewing } from './world.ts'

type World = Pick<Parts, 'agents' | 'config' | 'health' | 'registry' | 'waiting' | 'wakePhases'> & WakeWorld & Viewing

const HEARD_WITHIN_MS = 3_000

export const wakeTerminal: Handler<'terminal.wake', World> = async (daemon, params) => {
  const overloaded = daemon.health.load.isFull ? await daemon.health.load.refusesProgram() : null
  if (overloaded !== null) return refused(overloaded)
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const { id, spec } = found.value
  if (found.value.state === 'live') return refused(refusals.alreadyLive(id))
  if (found.value.state !== 'asleep') return refused(refusals.busy(id, found.value.state))
  if (daemon.wakePhases.isChecking(id)) return refused(refusals.busy(id, 'waking'))
  const { imported } = found.value
  if (imported !== undefined && params.confirmed !== true)
    return refused(refusals.importedUnconfirmed(found.value.name ?? id, imported.from || 'another machine'))
  const chosen = choose(daemon, found.value, params)
  if (!chosen.ok) return chosen
  const { mode = 'resume', inherited, size, confirmed: isConfirmed = false, withoutArguments = false } = params
  const wish = { mode, inherited, size, isConfirmed, withoutArguments, chosen: chosen.value, isByUser: true }
  const begun = await beginWake(daemon, found.value, wish)
  if (!begun.ok) return begun
  const { argv, started } = begun.value
  try {
    await started
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

/** The last words of a program that ends at once are read before its end is reported. */
async function startedOrFailed(daemon: World, id: TerminalId): Promise<Terminal | null> {
  const terminal = await daemon.waiting.started(id)
  if (terminal?.state !== 'asleep') return terminal
  await daemon.registry.quiet(id, HEARD_WITHIN_MS)
  return daemon.registry.get(id)
}

/** A conversation that cannot be resumed is refused, never replaced by something else. Null where none was chosen. */
function choose(daemon: World, terminal: Asleep, params: Params<'terminal.wake'>): Result<Conversation | null> {
  const { mode = 'resume', conversation, asShown = false } = params
  if (asShown && mode === 'fresh') return refused(refusals.paramsInvalid('a fresh start has the command line of the terminal'))
  if (conversation === undefined) return done(asShown ? settled(terminal.restore) : null)
  if (mode === 'fresh') return refused(refusals.paramsInvalid('a fresh start has no conversation'))
  if (isGuest(terminal)) return refused(refusals.guestConversation(terminal.name ?? terminal.id))
  const { agents } = waysOf(daemon.config)
  if (!isConversationId(conversation)) return refused(refusals.conversationInvalid(conversation))
  const agent = chooses(terminal, agents)
  if (agent === null) return refused(refusals.conversationUnsupported(baseName(terminal.spec.command), agentsByConversation(agents)))
  const restore = chosenConversation(terminal, conversation, agents)
  if (restore === null) return refused(refusals.conversationNotOf(conversation, agent.label))
  const owner = daemon.agents.claimedBy(terminal.id, agent.id, conversation)
  if (owner !== null) return refused(refusals.conversationTaken(conversation, daemon.registry.get(owner)?.name ?? owner))
  return done(asShown ? settled(restore) : restore)
}

/** From now on it is started with the command line that was offered. */
const settled = (restore: Restore): Conversation | null =>
  restore.kind === 'conversation' ? { ...restore, wrapper: offeredWrapper(restore.wrapper) } : null

/** The command is left out where it is the terminal's own, and the agent itself. */
const textOf = ({ command, args, isWrapped }: Argv, own: string): string =>
  command === own && args.length > 0 && isWrapped !== true ? argumentsText(args) : commandText(command, args)
