/**
 * src/workspace/resume: what people are told and asked about a resume. wouldStart.ts says what would run, chosenConversation.ts takes
 * a choice. The resume itself is ../terminal/resume.ts. This file says what a wake brings back, in one word for programs and one
 * sentence for people. The same answer is shown before a wake (on the restore card, in a plan) and after it.
 */
import type { Agent } from '../../agents/agent.ts'
import { isConversation, namesNewConversation } from '../../agents/argv.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { assertNever } from '../../base/assertNever.ts'
import { commandText } from '../command/commandText.ts'
import { isPlainShell } from '../command/plainShell.ts'
import { type Argv, agentOfCommand, type Place, type Ways } from '../terminal/resume.ts'
import { isGuest, type Restore, type UnknownWhy } from '../terminal/terminal.ts'

/** `asks`: nothing starts before the user has chosen. `started`: a shell or a program without a conversation, as at first. */
export const COMES_BACK = ['resumed', 'new-conversation', 'shell-quit', 'shell-unknown', 'started', 'asks'] as const

export type ComesBack = {
  readonly kind: (typeof COMES_BACK)[number]
  /** As in `Claude Code`; null where no agent starts. */
  readonly agent: string | null
  readonly text: string
}

/** `argv` is what the wake runs. `owners` are other terminals that could own what an open choice resumes. */
export function comesBack(terminal: Place, argv: Argv, { agents }: Pick<Ways, 'agents'>, owners: readonly string[] = []): ComesBack {
  const { restore } = terminal
  const agent = argv.agent === null ? null : agentNamed(agents, argv.agent)
  const label = agent?.label ?? argv.agent
  const back = (kind: ComesBack['kind'], text: string): ComesBack => ({ kind, agent: label, text })
  if (argv.unsure !== undefined) return back('asks', `asks first: ${argv.unsure.why}`)
  if (argv.isOpenChoice === true && owners.length > 0) return back('asks', `asks first: ${openChoiceText(argv, owners)}`)
  switch (argv.from) {
    case 'conversation':
      return isBegunAnew(restore, argv, agent)
        ? back('new-conversation', `new conversation: ${NOTHING_SAID}`)
        : back('resumed', `resumed: conversation ${restore.kind === 'conversation' ? restore.id : ''}`)
    case 'table':
      return back('resumed', `resumed: ${commandText(argv.command, argv.args)}`)
    case 'new':
      return back('new-conversation', `new conversation: ${unknownText(restore)}`)
    case 'shell':
    case 'original':
      return withoutResume(terminal, agents)
  }
  return assertNever(argv.from)
}

/** Why an open choice is not made for the user. */
export const openChoiceText = (argv: Pick<Argv, 'command' | 'args'>, owners: readonly string[]): string =>
  `"${commandText(argv.command, argv.args)}" could open a conversation of ${owners.map((name) => `"${name}"`).join(', ')}`

const isBegunAnew = (restore: Restore, { command, args }: Argv, agent: Agent | null): boolean =>
  agent !== null && restore.kind === 'conversation' && namesNewConversation(agent, [command, ...args], restore.id)

function withoutResume(terminal: Place, agents: readonly Agent[]): ComesBack {
  const { restore, spec } = terminal
  const own = agentOfCommand(spec.command, agents)
  const labelOf = (id: string): string => agentNamed(agents, id)?.label ?? id
  if (isGuest(terminal)) return { kind: 'started', agent: null, text: 'shown again' }
  if (restore.kind === 'quit' && (own !== null || isPlainShell([spec.command, ...spec.args])))
    return { kind: 'shell-quit', agent: null, text: `shell: you had quit ${labelOf(restore.agent)}` }
  if (restore.kind === 'unknown' && isPlainShell([spec.command, ...spec.args]))
    return {
      kind: 'shell-unknown',
      agent: null,
      text: `shell: conversation of ${labelOf(restore.agent)} unknown (${unknownText(restore)})`,
    }
  if (own !== null && isConversation(own, spec.args))
    return { kind: 'new-conversation', agent: own.label, text: 'new conversation: started fresh' }
  return { kind: 'started', agent: null, text: 'started fresh' }
}

const UNKNOWN_TEXT: Readonly<Record<UnknownWhy, string>> = {
  ambiguous: 'it was not distinguishable from another terminal’s',
  taken: 'another terminal has it',
}

const NOTHING_SAID = 'the one before was empty'

function unknownText(restore: Restore): string {
  if (restore.kind === 'conversation') return NOTHING_SAID
  return restore.kind === 'unknown' && restore.why !== undefined ? UNKNOWN_TEXT[restore.why] : 'none was known for this terminal'
}
