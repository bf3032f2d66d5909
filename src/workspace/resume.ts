/**
 * How a command is started so that it goes on where it was: by its base name, the user's table over the built-in one.
 * The arguments of a resume stand in place of the original ones, because a prompt among those must never be sent again.
 */
import type { Agent } from '../agents/agent.ts'
import { AGENTS, agentNamed } from '../agents/all.ts'
import { commandText } from './commandText.ts'
import { sameValue } from './sameValue.ts'
import type { Kept, Restore, WakeMode } from './terminal.ts'
import { isSafeText } from './text.ts'

/** Base name of a command → the arguments that resume it. An empty list starts it without any. */
export type ResumeTable = Readonly<Record<string, readonly string[]>>

/** Each resumes the newest conversation of the working directory: the last resort, where no conversation is known. */
export const DEFAULT_RESUME: ResumeTable = Object.fromEntries(AGENTS.flatMap(({ id, latest }) => (latest === null ? [] : [[id, latest]])))

export type Argv = { readonly command: string; readonly args: readonly string[]; readonly from: 'conversation' | 'table' | 'original' }

/** The program and its arguments for a new run; never shell text. `from` says which of the three ways it was. */
export function argvFor(terminal: Pick<Kept, 'spec' | 'restore'>, mode: WakeMode, table: ResumeTable = DEFAULT_RESUME): Argv {
  const { spec, restore } = terminal
  const original: Argv = { command: spec.command, args: spec.args, from: 'original' }
  if (mode === 'fresh') return original
  if (restore.kind === 'conversation') {
    const [command, ...args] = restore.argv
    if (command !== undefined && command !== '' && restore.id !== '') return { command, args, from: 'conversation' }
  }
  const name = baseName(spec.command)
  const args = Object.hasOwn(table, name) ? table[name] : undefined
  return args === undefined ? original : { command: spec.command, args, from: 'table' }
}

export const baseName = (command: string): string => command.slice(command.lastIndexOf('/') + 1)

/** Whether it goes on with something: otherwise a resume is the same as a fresh start. */
export function resumes({ command, args, from }: Argv, { spec }: Pick<Kept, 'spec'>): boolean {
  return from === 'conversation' || (from === 'table' && !sameValue([command, ...args], [spec.command, ...spec.args]))
}

type Conversation = Extract<Restore, { readonly kind: 'conversation' }>

/** Agents of which one conversation can be chosen. */
export const agentsById = (agents: readonly Agent[]): readonly string[] => agents.flatMap(({ id, resume }) => (resume === null ? [] : [id]))

export const AGENTS_BY_ID: readonly string[] = agentsById(AGENTS)

/** A letter or digit first: what begins with a dash is an option, and no id is one. */
export const isConversationId = (id: string): boolean => /^[A-Za-z0-9][\w.:-]{0,127}$/.test(id)

type Resumable = { readonly agent: string; readonly command: string; readonly resume: (id: string) => readonly string[] }

/** The program that would resume it: the agent that was seen here, else the terminal's own command. */
function agentOf({ spec, restore }: Pick<Kept, 'spec' | 'restore'>, agents: readonly Agent[]): Resumable | null {
  const seen = restore.kind === 'shell' ? [] : [{ agent: restore.agent, command: commandOf(restore) }]
  const known = [...seen, { agent: baseName(spec.command), command: spec.command }].flatMap(({ agent, command }): Resumable[] => {
    const resume = agentNamed(agents, agent)?.resume ?? null
    return resume === null ? [] : [{ agent, command, resume }]
  })
  return known[0] ?? null
}

const commandOf = (restore: Exclude<Restore, { readonly kind: 'shell' }>): string =>
  (restore.kind === 'conversation' ? restore.argv[0] : undefined) || restore.agent

/** Null when its program is not known to resume by an id, or the id cannot be one; some agents also take names of conversations. */
export function chosenConversation(
  terminal: Pick<Kept, 'spec' | 'restore'>,
  id: string,
  agents: readonly Agent[] = AGENTS,
): Conversation | null {
  const known = agentOf(terminal, agents)
  if (known === null || !isConversationId(id)) return null
  return { kind: 'conversation', agent: known.agent, id, provenance: 'user', argv: [known.command, ...known.resume(id)] }
}

/** What may be asked for of a terminal that sleeps, as texts to be read. */
export type Offers = {
  /** The command line of a resume; null where it is the same as that of a fresh start. */
  readonly resume: string | null
  /** Whether another conversation can be chosen by its id. */
  readonly conversation: boolean
  readonly fresh: string
}

export function offersOf(terminal: Pick<Kept, 'spec' | 'restore'>, table: ResumeTable, agents: readonly Agent[] = AGENTS): Offers {
  const { command, args, ...rest } = argvFor(terminal, 'resume', table)
  const isResume = resumes({ command, args, ...rest }, terminal)
  const fresh = commandText(terminal.spec.command, terminal.spec.args)
  return { resume: isResume ? commandText(command, args) : null, conversation: agentOf(terminal, agents) !== null, fresh }
}

/** `command` is null for what is wrong with the table as a whole; `why` goes on from the name of what is wrong. */
export type ResumeProblem = { readonly command: string | null; readonly why: string }
export type ParsedResume =
  | { readonly ok: true; readonly table: ResumeTable }
  | { readonly ok: false; readonly problems: readonly ResumeProblem[] }

const MOST_COMMANDS = 200
const MOST_ARGUMENTS = 50

/** Reads what stands under `[resume]`; every problem is named, so that all can be mended at once. */
export function parseResumeTable(value: unknown, defaults: ResumeTable = DEFAULT_RESUME): ParsedResume {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
    return { ok: false, problems: [{ command: null, why: 'is a section: write [resume] and below it lines like claude = ["--continue"]' }] }
  const entries = Object.entries(value)
  const problems = entries.flatMap(([command, args]): ResumeProblem[] => {
    const why = faultOfCommand(command) ?? faultOfArguments(args)
    return why === null ? [] : [{ command, why }]
  })
  if (entries.length > MOST_COMMANDS) problems.push({ command: null, why: `has ${entries.length} commands; ${MOST_COMMANDS} are the most` })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, table: { ...defaults, ...(value as ResumeTable) } }
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
