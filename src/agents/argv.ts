/**
 * Command lines of agents: what of one is carried into a resume. Only words that the user has typed, only those that the
 * agent's lists name, and never a prompt: what was asked once must not be asked again.
 */
import type { Agent, Flags } from './agent.ts'
import { commandName, scriptOf } from './program.ts'

type Called = Pick<Agent, 'id'> & { readonly recognise: Pick<Agent['recognise'], 'names'> }

/** The program, with its interpreter where the script cannot be run by itself, and its own arguments. */
function splitArgv(agent: Called, argv: readonly string[]): { readonly program: readonly string[]; readonly args: readonly string[] } {
  const [first] = argv
  if (first === undefined || first === '') return { program: [agent.id], args: [] }
  const script = agent.recognise.names.includes(commandName(first)) ? null : scriptOf(argv)
  if (script === null) return { program: [first], args: argv.slice(1) }
  const hasEnding = /\.\w+$/.test(script.path)
  return { program: hasEnding ? argv.slice(0, script.at + 1) : [script.path], args: argv.slice(script.at + 1) }
}

/** A process that sets its title writes it over its words: a title with spaces in one word, and blank words or none after it. */
export const isOverwritten = ([title = '', ...others]: readonly string[]): boolean =>
  others.every((word) => word === '') && (others.length > 0 || title.includes(' '))

/** Its own arguments, without the program and without the interpreter that runs it. */
export const argsOf = (agent: Called, argv: readonly string[]): readonly string[] => splitArgv(agent, argv).args

/** The flags of a command line (program first) that a resume takes along, as they were typed. */
export function carriedFlags(agent: Agent, argv: readonly string[]): readonly string[] {
  return wordsOf(agent.flags, argsOf(agent, argv)).flatMap(({ kind, words }) => (kind === 'carried' ? words : []))
}

export function resumeArgv(
  agent: Agent,
  { argv, id }: { readonly argv: readonly string[]; readonly id: string },
): readonly string[] | null {
  if (agent.resume === null || !agent.idPattern.test(id)) return null
  return [...splitArgv(agent, argv).program, ...agent.resume(id), ...carriedFlags(agent, argv)]
}

/** The agent with these arguments in place of what chose a conversation or was a prompt: none for a new conversation. */
export const againArgv = (agent: Agent, argv: readonly string[], args: readonly string[] = []): readonly string[] => [
  ...splitArgv(agent, argv).program,
  ...args,
  ...carriedFlags(agent, argv),
]

/** Whether these arguments (without the program) open a conversation. */
export function isConversation(agent: Agent, args: readonly string[]): boolean {
  return !namesOneOf(agent.flags.notConversation, agent, args)
}

/** The arguments with an id for the new conversation; null where it takes none or the user has chosen one. */
export function assignedArgs(agent: Agent, args: readonly string[], id: string): readonly string[] | null {
  if (agent.assign === null || !agent.idPattern.test(id)) return null
  if (!isConversation(agent, args) || namesOneOf(agent.flags.choosing, agent, args)) return null
  return [...agent.assign(id), ...args]
}

/** Whether a command line gives this id to a new conversation, and does not ask for an old one. */
export function namesNewConversation({ assign, resume }: Pick<Agent, 'assign' | 'resume'>, argv: readonly string[], id: string): boolean {
  const has = (words: readonly string[] | undefined): boolean => words?.every((word) => argv.includes(word)) === true
  return has(assign?.(id)) && !has(resume?.(id))
}

function namesOneOf(words: readonly string[], { flags }: Agent, args: readonly string[]): boolean {
  const found = wordsOf(flags, args)
  const command = found.find(({ kind }) => kind === 'plain')?.words[0]
  const names = found.flatMap(({ kind, words: [word = ''] }) => (kind === 'plain' || kind === 'prompt' ? [] : [beforeEquals(word)]))
  return words.some((word) => word === command || names.includes(word))
}

/** `plain` is neither a flag nor the value of one that is known; `prompt` stands behind `--`. */
type Words = { readonly kind: 'carried' | 'dropped' | 'plain' | 'prompt'; readonly words: readonly string[] }

function wordsOf(flags: Flags, args: readonly string[]): readonly Words[] {
  const found: Words[] = []
  for (let at = 0; at < args.length; ) {
    const next = wordsAt(flags, args, at)
    found.push(next)
    at += next.words.length
  }
  return found
}

function wordsAt(flags: Flags, args: readonly string[], at: number): Words {
  const word = args[at] ?? ''
  if (word === '--') return { kind: 'prompt', words: args.slice(at) }
  if (!isFlag(word)) return { kind: 'plain', words: [word] }
  if (flags.alone.includes(beforeEquals(word))) return { kind: 'carried', words: [word] }
  if (flags.withMany.includes(word)) return { kind: 'carried', words: args.slice(at, endOfValues(args, at + 1)) }
  if (flags.withValue.includes(word)) return { kind: at + 1 < args.length ? 'carried' : 'dropped', words: args.slice(at, at + 2) }
  if (flags.droppedWithValue.includes(word)) return { kind: 'dropped', words: args.slice(at, at + 2) }
  return { kind: holdsItsValue(flags, word) ? 'carried' : 'dropped', words: [word] }
}

const isFlag = (word: string): boolean => word.length > 1 && word.startsWith('-')

const beforeEquals = (word: string): string => word.replace(/=.*$/s, '')

/** `--model=opus` and `-mopus`. */
function holdsItsValue({ withValue, withMany }: Flags, word: string): boolean {
  if (word.startsWith('--')) return word.includes('=') && [...withValue, ...withMany].includes(beforeEquals(word))
  return word.length > 2 && withValue.includes(word.slice(0, 2))
}

function endOfValues(args: readonly string[], from: number): number {
  const end = args.findIndex((word, at) => at >= from && isFlag(word))
  return end === -1 ? args.length : end
}
