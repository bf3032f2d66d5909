/**
 * Command lines of agents: what of one is carried into a resume. Every flag is, in its order and as it was typed, but those
 * that choose a conversation or send a prompt: what was asked once must not be asked again.
 */
import type { Agent, Flags } from './agent.ts'
import { type Part, readCommandLine } from './commandLine.ts'
import { commandName, scriptOf } from './program.ts'

type Called = Pick<Agent, 'id'> & { readonly recognise: Pick<Agent['recognise'], 'names'> }

/** The program, with its interpreter where the script cannot be run by itself, and its own arguments. */
function splitArgv(agent: Called, argv: readonly string[]): { readonly program: readonly string[]; readonly args: readonly string[] } {
  const [first] = argv
  if (first === undefined || first === '' || !isTyped(argv)) return { program: [agent.id], args: [] }
  const script = agent.recognise.names.includes(commandName(first)) ? null : scriptOf(argv)
  if (script === null) return { program: [first], args: argv.slice(1) }
  const hasEnding = /\.\w+$/.test(script.path)
  return { program: hasEnding ? argv.slice(0, script.at + 1) : [script.path], args: argv.slice(script.at + 1) }
}

/** Its own arguments, without the program and without the interpreter that runs it. */
export const argsOf = (agent: Called, argv: readonly string[]): readonly string[] => splitArgv(agent, argv).args

/** The flags of a command line (program first) that a resume takes along, as they were typed. */
export const carriedFlags = (agent: Agent, argv: readonly string[]): readonly string[] =>
  carriedFrom(agent.flags, argsOf(agent, argv)).words

/** Why it is not certain what a resume takes along; null where it is. Without the bounds of the words almost nothing is. */
export function doubtOf(agent: Agent, argv: readonly string[], { hasWords }: { readonly hasWords: boolean }): string | null {
  if (!isTyped(argv)) return `${agent.label} has written over its command line`
  const args = argsOf(agent, argv)
  const { doubt } = carriedFrom(agent.flags, args)
  if (doubt !== null) return doubt
  return hasWords || isPlainEnough(agent.flags, args) ? null : 'this system does not tell the words of its command line apart'
}

/** Whether it can be what the user typed. A process that sets its title leaves blanks behind it, or one text with spaces. */
export function isTyped([first = '', ...args]: readonly string[]): boolean {
  if (/\s/.test(first) && !/^[./~]/.test(first)) return false
  return args.length === 0 || args.some((word) => word !== '')
}

/** Whatever the words are that a text was split into: it has no flag, or only flags, with one value at its end. */
function isPlainEnough(flags: Flags, args: readonly string[]): boolean {
  if (args.every((word) => !word.startsWith('-'))) return true
  const { parts } = readCommandLine(flags, args)
  return parts.every((part, at) => part.kind === 'flag' && part.isKnown && part.words.length <= (at === parts.length - 1 ? 2 : 1))
}

type Carried = { readonly words: readonly string[]; readonly doubt: string | null }

/**
 * A flag that is in doubt comes last, without what may be its value: if it needs one, the agent refuses to start. One that
 * may carry a prompt is left out.
 */
function carriedFrom(flags: Flags, args: readonly string[]): Carried {
  const line = readCommandLine(flags, args)
  const words: string[] = []
  const last: string[] = []
  let doubt = line.doubt
  for (const [at, part] of line.parts.entries()) {
    if (part.kind !== 'flag') continue
    const kept = part.names.filter((name) => !isDropped(flags, name))
    if (kept.length === 0) continue
    if (kept.length < part.names.length) {
      doubt ??= `${part.words[0]} holds flags that are carried and flags that are not`
      continue
    }
    const next = line.parts[at + 1]
    if (part.isKnown || part.words.length > 1 || isHarmless(flags, part, next)) words.push(...part.words)
    else {
      doubt ??= `${part.names[0]} is not known, and may take the word behind it`
      if (!part.isSuspect) last.push(...part.words)
    }
  }
  return { words: [...words, ...last], doubt }
}

type Flag = Extract<Part, { readonly kind: 'flag' }>

/** What follows an unknown flag may be its value, so that it must follow it again. */
function isHarmless(flags: Flags, { words: [word = ''], isSuspect }: Flag, next: Part | undefined): boolean {
  if (isSuspect) return false
  if (word.includes('=') || next === undefined) return true
  return next.kind === 'flag' && next.names.every((name) => !isDropped(flags, name))
}

const isDropped = ({ choosing, prompting, once, notConversation }: Flags, name: string): boolean =>
  [choosing, prompting, once, notConversation].some((names) => names.includes(name))

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

/** Whether a conversation that is begun with these arguments is saved. */
export const isSaved = (agent: Agent, args: readonly string[]): boolean => !namesOneOf(agent.flags.unsaved, agent, args)

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
  const { parts } = readCommandLine(flags, args)
  const command = parts.find(({ kind }) => kind === 'plain')?.words[0]
  const names = parts.flatMap((part) => (part.kind === 'flag' ? part.names : []))
  return words.some((word) => word === command || names.includes(word))
}

/** The conversation with which a process was started, as its command line names it. */

type Launching = Pick<Agent, 'id' | 'recognise' | 'idPattern' | 'resume' | 'assign' | 'flags'>

type Launched = { readonly id: string; readonly provenance: 'user' | 'assigned' }

/** A word that stands in for an id, so that the shape of the arguments around it can be compared. */
const PLACE = '\u0000'

export function launchedWith(agent: Agent, argv: readonly string[]): Launched | null {
  const args = argsOf(agent, argv)
  const before = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (before.includes('--fork-session') || before.includes('--fork')) return null
  const assigned = agent.assign === null ? null : idWithin(agent, agent.assign(PLACE), before)
  if (assigned !== null) return { id: assigned, provenance: 'assigned' }
  const resumed = agent.resume === null ? null : idWithin(agent, agent.resume(PLACE), before)
  return resumed === null ? null : { id: resumed, provenance: 'user' }
}

function idWithin({ idPattern }: Launching, shape: readonly string[], args: readonly string[]): string | null {
  const found = args.flatMap((_, from) => {
    const ids = shape.map((word, index) => idAt(word, args[from + index] ?? ''))
    return ids.includes(null) ? [] : ids.filter((id) => id !== null && id !== '')
  })
  return found.find((id) => id !== null && idPattern.test(id)) ?? null
}

/** Empty where the word is the same, the id where it stands for one, null where it differs. */
function idAt(shape: string, word: string): string | null {
  const at = shape.indexOf(PLACE)
  if (at === -1) return shape === word ? '' : null
  return word.startsWith(shape.slice(0, at)) ? word.slice(at) || null : null
}
