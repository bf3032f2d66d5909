/**
 * How a command is started so that it goes on where it was: by its base name, the user's table over the built-in one.
 * The arguments of a resume stand in place of the original ones, because a prompt among those must never be sent again.
 */
import type { Kept, WakeMode } from './terminal.ts'
import { isSafeText } from './text.ts'

/** Base name of a command → the arguments that resume it. An empty list starts it without any. */
export type ResumeTable = Readonly<Record<string, readonly string[]>>

/** Each resumes the newest conversation of the working directory: the last resort, where no conversation is known. */
export const DEFAULT_RESUME: ResumeTable = {
  claude: ['--continue'],
  codex: ['resume', '--last'],
  gemini: ['--resume', 'latest'],
  opencode: ['--continue'],
  qwen: ['--continue'],
  copilot: ['--continue'],
  kilo: ['--continue'],
  pi: ['--continue'],
}

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

export type ParsedResume = { readonly ok: true; readonly table: ResumeTable } | { readonly ok: false; readonly problems: readonly string[] }

const MOST_COMMANDS = 200
const MOST_ARGUMENTS = 50

/** Reads what stands under `[resume]`; every problem is named, so that all can be mended at once. */
export function parseResumeTable(value: unknown, defaults: ResumeTable = DEFAULT_RESUME): ParsedResume {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, problems: ['[resume] must be a table like: claude = ["--continue"]'] }
  const entries = Object.entries(value)
  const problems = entries.flatMap(([command, args]) => [...problemsOfCommand(command), ...problemsOfArguments(command, args)])
  if (entries.length > MOST_COMMANDS) problems.push(`[resume] has ${entries.length} commands; ${MOST_COMMANDS} are the most`)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, table: { ...defaults, ...(value as ResumeTable) } }
}

function problemsOfCommand(command: string): readonly string[] {
  if (command.trim() === '') return ['[resume] has a command without a name']
  if (command.includes('/'))
    return [`[resume] ${JSON.stringify(command)}: write only the last part of the path, ${JSON.stringify(baseName(command))}`]
  if (!isSafeText(command) || /\s/.test(command)) return [`[resume] ${JSON.stringify(command)} cannot be the name of a command`]
  return []
}

function problemsOfArguments(command: string, args: unknown): readonly string[] {
  const name = `[resume] ${command}`
  if (!Array.isArray(args)) return [`${name} must be a list of arguments like ["--continue"]`]
  if (args.length > MOST_ARGUMENTS) return [`${name} has ${args.length} arguments; ${MOST_ARGUMENTS} are the most`]
  return args.flatMap((arg: unknown, index) => {
    if (typeof arg !== 'string') return [`${name}: argument ${index + 1} must be text`]
    return isSafeText(arg) ? [] : [`${name}: argument ${index + 1} holds a control character`]
  })
}
