/**
 * How a command is started so that it continues where it was: by the conversation that is known, else as the user's table
 * says. An agent without either begins a new conversation: the newest one of its directory may be another terminal's. The
 * arguments of a resume stand in place of the original ones, because a prompt among those must never be sent again.
 */
import type { Agent } from '../../agents/agent.ts'
import { againArgv, argsOf, doubtOf, isConversation, isSaved } from '../../agents/argv.ts'
import { baseName, commandName } from '../../agents/program.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { assertNever } from '../../base/assertNever.ts'
import { commandText } from '../command/commandText.ts'
import { isPlainShell } from '../command/plainShell.ts'
import type { Environment } from '../redact/environment.ts'
import { sameValue } from '../sameValue.ts'
import { isSafeText } from '../text.ts'
import { offeredWrapper, type Wrapper, wrappedArgv } from '../wrapper/wrapper.ts'
import type { Kept, Restore, WakeMode } from './terminal.ts'

/** Base name of a command → the arguments that resume it. An empty list starts it without any. */
export type ResumeTable = Readonly<Record<string, readonly string[]>>

/** What is known beyond the record of a terminal. */
export type Ways = {
  readonly table: ResumeTable
  readonly agents: readonly Agent[]
  /** The user's own. */
  readonly shell: string
}

export type Argv = {
  readonly command: string
  readonly args: readonly string[]
  readonly from: StartedFrom
  /** Which agent it is, as far as that is known. */
  readonly agent: string | null
  /** Whether something else starts the agent; left out: it is started itself. */
  readonly isWrapped?: true
  /** It may leave out something that the agent was started with: never done unless the user chooses it. */
  readonly unsure?: Unsure
  /** The agent itself chooses the conversation: never done while another terminal could own that one. */
  readonly isOpenChoice?: true
}

/** The command line that ran, to be read, and why it is not certain how to run it again. */
export type Unsure = { readonly ran: string; readonly why: string }

/** All that is looked at of a terminal. */
export type Place = Pick<Kept, 'spec' | 'restore'>
export type Conversation = Extract<Restore, { readonly kind: 'conversation' }>

/** The program and its arguments for a new run; never shell text. `from` says which of the ways it was. */
export function argvFor({ spec, restore }: Place, mode: WakeMode, ways: Ways): Argv {
  const own = agentOfCommand(spec.command, ways.agents)
  const original: Argv = { command: spec.command, args: spec.args, from: 'original', agent: own?.id ?? null }
  if (mode === 'fresh') return original
  switch (restore.kind) {
    case 'conversation':
      return conversationArgv(restore, { spec, ways }) ?? tableArgv(spec, ways) ?? newArgv(spec, own) ?? original
    // An agent that the user has left is not started again; whatever else the terminal was made for is.
    case 'quit':
      return own === null ? original : { command: ways.shell, args: [], from: 'shell', agent: null }
    case 'unknown':
    case 'shell':
      return tableArgv(spec, ways) ?? newArgv(spec, own) ?? original
  }
  return assertNever(restore)
}

type Spec = Kept['spec']
type Known = { readonly spec: Spec; readonly ways: Ways }

function conversationArgv({ argv: [command, ...args], id, agent, wrapper }: Conversation, { spec, ways }: Known): Argv | null {
  if (command === undefined || command === '' || id === '') return null
  const direct: Argv = { command, args, from: 'conversation', agent }
  return wrapped(direct, wrapper ?? wrapperBefore(spec, ways), agentNamed(ways.agents, agent))
}

/** The agent's command line as its wrapper runs it. */
export function wrapped(direct: Argv, wrapper: Wrapper, agent: Agent | null): Argv {
  switch (wrapper.kind) {
    case 'none':
      return direct
    case 'unsure':
      return { ...wrapped(direct, offeredWrapper(wrapper), agent), unsure: { ran: wrapper.ran, why: wrapper.why } }
    case 'line': {
      const own = agent === null ? null : argsOf(agent, [direct.command, ...direct.args])
      const [command, ...args] = (own === null ? null : wrappedArgv(wrapper, own)) ?? []
      if (command !== undefined) return { ...direct, command, args, isWrapped: true }
      const [ran = '', ...words] = [...wrapper.before, ...(wrapper.text?.words ?? [])]
      return { ...direct, unsure: { ran: commandText(ran, words), why: 'the agent’s arguments cannot be put into it' } }
    }
  }
  return assertNever(wrapper)
}

/** Of a record from before wrappers were looked for, only the terminal's own command can tell. */
function wrapperBefore({ command, args }: Spec, { agents }: Ways): Wrapper {
  if (isPlainShell([command, ...args]) || agentOfCommand(command, agents) !== null) return { kind: 'none' }
  return { kind: 'unsure', ran: commandText(command, args), why: 'the version of Holdfast that started it did not look for that' }
}

/** What the user's table says about an agent has the user's flags besides. */
function tableArgv(spec: Spec, ways: Ways): Argv | null {
  const agent = agentOfCommand(spec.command, ways.agents)
  const name = agent?.id ?? baseName(spec.command)
  const args = Object.hasOwn(ways.table, name) ? ways.table[name] : undefined
  if (args === undefined) return null
  if (agent === null) return { command: spec.command, args, from: 'table', agent: null }
  if (!isConversation(agent, spec.args) || !isSaved(agent, spec.args)) return null
  const [command = spec.command, ...words] = againArgv(agent, [spec.command, ...spec.args], args)
  return {
    command,
    args: words,
    from: 'table',
    agent: agent.id,
    ...(args.length === 0 ? {} : { isOpenChoice: true }),
    ...inDoubt(spec, agent),
  }
}

/** What was typed may choose a conversation too, such as the newest one: a new one is begun instead. */
function newArgv(spec: Spec, agent: Agent | null): Argv | null {
  if (agent === null || !isConversation(agent, spec.args)) return null
  const [command = spec.command, ...args] = againArgv(agent, [spec.command, ...spec.args])
  return { command, args, from: 'new', agent: agent.id, ...inDoubt(spec, agent) }
}

/** Where it is not certain which of the words are flags. */
function inDoubt({ command, args }: Spec, agent: Agent): { readonly unsure?: Unsure } {
  const why = doubtOf(agent, [command, ...args], { hasWords: true })
  return why === null ? {} : { unsure: { ran: commandText(command, args), why } }
}

/** The agent that a command starts, by the name of the command alone. */
export const agentOfCommand = (command: string, agents: readonly Agent[]): Agent | null =>
  agents.find(({ recognise }) => recognise.names.includes(commandName(command))) ?? null

/** Whether it resumes anything: otherwise a resume is the same as a fresh start. */
export function resumes({ command, args, from }: Argv, { spec }: Pick<Kept, 'spec'>): boolean {
  if (from === 'original' || from === 'shell' || from === 'new') return false
  return from === 'conversation' || !sameValue([command, ...args], [spec.command, ...spec.args])
}

/** What a conversation's agent was started with beyond what the terminal has: where its files are. */
export const environmentOf = ({ restore }: Pick<Kept, 'restore'>, { from }: Argv): Environment =>
  from === 'conversation' && restore.kind === 'conversation' ? (restore.env ?? {}) : {}

/** `command` is null for what is wrong with the table as a whole; `why` continues a sentence that begins with the key. */
type ResumeProblem = { readonly command: string | null; readonly why: string }
type ParsedResume = { readonly ok: true; readonly table: ResumeTable } | { readonly ok: false; readonly problems: readonly ResumeProblem[] }

const MOST_COMMANDS = 200
const MOST_ARGUMENTS = 50

/** Reads what stands under `[resume]`; every problem is named, so that all can be mended at once. */
export function parseResumeTable(value: unknown): ParsedResume {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
    return { ok: false, problems: [{ command: null, why: 'is a section: write [resume] and below it lines like claude = ["--continue"]' }] }
  const entries = Object.entries(value)
  const problems = entries.flatMap(([command, args]): ResumeProblem[] => {
    const why = faultOfCommand(command) ?? faultOfArguments(args)
    return why === null ? [] : [{ command, why }]
  })
  if (entries.length > MOST_COMMANDS) problems.push({ command: null, why: `has ${entries.length} commands; ${MOST_COMMANDS} are the most` })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, table: value as ResumeTable }
}

function faultOfCommand(command: string): string | null {
  if (command.trim() === '') return 'is a command without a name'
  if (command.includes('/')) return `is a path: write only its last part, ${JSON.stringify(baseName(command))}`
  return !isSafeText(command) || /\s/.test(command) ? 'cannot be the name of a command' : null
}

function faultOfArguments(args: unknown): string | null {
  if (!Array.isArray(args)) return 'must be a list of arguments like ["--continue"]'
  if (args.length > MOST_ARGUMENTS) return `has ${args.length} arguments; ${MOST_ARGUMENTS} are the most`
  const at = args.findIndex((arg: unknown) => typeof arg !== 'string' || !isSafeText(arg))
  if (at === -1) return null
  return `has an argument ${at + 1} that ${typeof args[at] === 'string' ? 'holds a control character' : 'is not a text in quotes'}`
}

/** How much a restore target knows. A conversation without an id cannot be resumed, so it knows nothing. */
function knowledge(restore: Restore): number {
  if (restore.kind === 'conversation') return restore.id === '' || restore.agent === '' ? 0 : 2
  return restore.kind === 'unknown' ? 1 : 0
}

/**
 * Absence is not an ending: an observer that could see less never costs a known conversation.
 * An equally good sight wins, because an agent's id rotates while it runs.
 */
export function betterRestore(known: Restore, seen: Restore): Restore {
  const enough = knowledge(seen) >= knowledge(known)
  return enough && !(seen.kind === 'conversation' && knowledge(seen) === 0) ? seen : known
}

/** Of an agent that was left: a conversation of it that is chosen later is resumed in what this one ran in. */
export function leftOf(agent: string, known: Restore): Extract<Restore, { readonly kind: 'quit' }> {
  if (known.kind !== 'conversation' && known.kind !== 'quit') return { kind: 'quit', agent, id: null }
  return { kind: 'quit', agent, id: known.id, ...(known.wrapper === undefined ? {} : { wrapper: known.wrapper }) }
}

/**
 * Where the arguments of a start came from, best first. `new` is the agent with the user's flags, for a new conversation; a
 * `shell` is what is left of an agent that the user has quit.
 */
export const STARTED_FROM = ['conversation', 'table', 'new', 'shell', 'original'] as const
type StartedFrom = (typeof STARTED_FROM)[number]
