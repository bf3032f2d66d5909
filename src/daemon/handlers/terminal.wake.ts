import { baseName } from '../../agents/program.ts'
import type { TerminalId } from '../../base/ids.ts'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Params } from '../../wire/commands.ts'
import { agentsByConversation, chooses, chosenConversation } from '../../workspace/chosenConversation.ts'
import { argumentsText, commandText } from '../../workspace/commandText.ts'
import { isConversationId } from '../../workspace/conversationId.ts'
import type { Argv, Conversation } from '../../workspace/resume.ts'
import { withoutWithheld } from '../../workspace/step.ts'
import { type Asleep, isGuest, type Restore, type Terminal } from '../../workspace/terminal.ts'
import { offeredWrapper } from '../../workspace/wrapper/wrapper.ts'
import { checkedStart, reasonOf } from '../agents/resumeCheck.ts'
import { waysOf } from '../agents/ways.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { find } from '../find.ts'
import { ownEnvironment } from '../program.ts'
import { viewOf } from '../view.ts'

const HEARD_WITHIN_MS = 3_000

export const wakeTerminal: Handler<'terminal.wake'> = async (daemon, params) => {
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
  const asleep = params.withoutArguments === true ? { ...found.value, spec: withoutWithheld(spec) } : found.value
  const wish = { ...params, terminal: asleep, chosen: chosen.value }
  const begun = await daemon.wakePhases.checking(id, () => begin(daemon, wish))
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

type Wish = Pick<Params<'terminal.wake'>, 'mode' | 'inherited' | 'size' | 'confirmed'> & {
  readonly terminal: Asleep
  readonly chosen: Conversation | null
}
type Begun = { readonly argv: Argv; readonly started: Promise<void> }

/** Everything up to the moment from which it is waking. */
async function begin(daemon: Daemon, wish: Wish): Promise<Result<Begun>> {
  const { terminal, chosen, mode = 'resume', inherited, size: place, confirmed: isConfirmed = false } = wish
  const { id } = terminal
  const as = chosen === null ? terminal : { ...terminal, restore: chosen }
  const checked = await checkedStart(daemon, as, { mode, inherited: inherited ?? ownEnvironment() })
  if (!checked.ok && chosen === null) await noteGone(daemon, id, checked.refusal)
  if (!checked.ok) return checked
  const run = daemon.makeRunId()
  try {
    // Whoever wakes it knows how it ended.
    await daemon.registry.apply(id, { kind: 'looked' })
    if (terminal.spec.withheld === undefined) await daemon.registry.apply(id, { kind: 'withheldDropped' })
    // Whoever looks at it gets the first prompt at the right size, not a second one after a resize.
    const size = isGuest(terminal) ? undefined : (daemon.sizes.wanted(id) ?? place)
    if (size !== undefined) await daemon.registry.apply(id, { kind: 'resized', size })
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  if (inherited !== undefined) daemon.inherited.set(run, inherited)
  const started = daemon.registry.apply(id, { kind: 'wakeAsked', run, mode, isConfirmed, ...(chosen === null ? {} : { chosen }) })
  return done({ argv: checked.value.argv, started })
}

/** A conversation that is gone is what the terminal has come to: it says so wherever it is shown. */
async function noteGone(daemon: Daemon, id: TerminalId, refusal: Refusal): Promise<void> {
  if (refusal.code !== 'conversation-gone') return
  await daemon.registry.apply(id, { kind: 'wakeRefused', reason: reasonOf(refusal) }).catch(() => undefined) // tried again by the registry
}

/** A program that ends at once has its last words read before anybody is told of its end. */
async function startedOrFailed(daemon: Daemon, id: TerminalId): Promise<Terminal | null> {
  const terminal = await daemon.started(id)
  if (terminal?.state !== 'asleep') return terminal
  await daemon.registry.quiet(id, HEARD_WITHIN_MS)
  return daemon.registry.get(id)
}

/** A conversation that cannot be resumed is refused, never replaced by something else. Null where none was chosen. */
function choose(daemon: Daemon, terminal: Asleep, params: Params<'terminal.wake'>): Result<Conversation | null> {
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
