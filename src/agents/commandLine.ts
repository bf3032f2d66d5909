/**
 * Splits the arguments of an agent into flags with their values, and plain words. Each agent reads its command line by the
 * rules of one library; where those rules leave two readings, the line is in doubt, and nothing is guessed.
 */
import type { Flags } from './agent.ts'
import type { Takes } from './flags/flagTable.ts'

export type Part =
  /** `names` are more than one where short flags stand together, as in `-vd`. */
  | {
      readonly kind: 'flag'
      readonly names: readonly string[]
      readonly words: readonly string[]
      readonly isKnown: boolean
      /** Not known, and by its name it may carry a prompt or choose a conversation. */
      readonly isSuspect: boolean
    }
  /** A subcommand, the id of a conversation, or a prompt. */
  | { readonly kind: 'plain'; readonly words: readonly string[] }
  /** `--` and everything behind it. */
  | { readonly kind: 'rest'; readonly words: readonly string[] }

type CommandLine = {
  readonly parts: readonly Part[]
  /** Why it can be read in more than one way; null where it cannot. */
  readonly doubt: string | null
}

export function readCommandLine(flags: Flags, args: readonly string[]): CommandLine {
  const parts: Part[] = []
  const doubts: string[] = []
  for (let at = 0; at < args.length; ) {
    const { part, doubt } = partAt(flags, args, at)
    parts.push(part)
    if (doubt !== undefined) doubts.push(doubt)
    at += part.words.length
  }
  return { parts, doubt: doubts[0] ?? null }
}

type Found = { readonly part: Part; readonly doubt?: string }

function partAt(flags: Flags, args: readonly string[], at: number): Found {
  const word = args[at] ?? ''
  if (word === '--') return restAt(flags, args, at)
  if (!isFlag(flags, word)) return { part: { kind: 'plain', words: [word] } }
  const known = knownFlag(flags, word)
  return known === null ? unknownAt(flags, args, at) : knownAt(flags, { args, at, known })
}

/** pi takes `--` for a flag without a name, and reads flags behind it as well. */
function restAt({ grammar }: Flags, args: readonly string[], at: number): Found {
  const part = { kind: 'rest', words: args.slice(at) } as const
  return grammar === 'pi' && part.words.length > 1 ? { part, doubt: 'it does not end its flags with "--"' } : { part }
}

/** A lone dash is a file. yargs reads `-5` as a number. */
const isFlag = ({ grammar }: Pick<Flags, 'grammar'>, word: string): boolean =>
  word.length > 1 && word.startsWith('-') && !(grammar === 'yargs' && /^-\d/.test(word))

type Known = {
  readonly names: readonly string[]
  readonly takes: Takes
  /** The word holds the value as well: `--model=opus`, `-mopus`. */
  readonly hasValue: boolean
}

function knownFlag(flags: Flags, word: string): Known | null {
  const exact = flags.takes[word]
  if (exact !== undefined) return { names: [word], takes: exact, hasValue: false }
  const equals = flags.grammar === 'pi' ? -1 : word.indexOf('=')
  const name = spelling(flags, equals === -1 ? word : word.slice(0, equals))
  const takes = flags.takes[name]
  if (takes !== undefined) return { names: [name], takes, hasValue: equals !== -1 }
  if (flags.grammar === 'yargs' && flags.takes[name.replace(/^--no-/, '--')] !== undefined)
    return { names: [name], takes: 'none', hasValue: true } // turned off: a "true" or "false" behind it is not its value
  return word.startsWith('--') ? null : shortFlags(flags, word)
}

/** yargs reads `--approvalMode` as `--approval-mode`, and `--m` as `-m`. */
function spelling({ grammar, takes }: Flags, name: string): string {
  if (grammar !== 'yargs' || takes[name] !== undefined) return name
  return /^--\w$/.test(name) ? name.slice(1) : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `-vd` is `-v -d`; but for yargs and pi, `-mopus` is `-m opus`. */
function shortFlags({ grammar, takes }: Flags, word: string): Known | null {
  if (grammar === 'pi' || grammar === 'other') return null
  const names: string[] = []
  for (const [at, letter] of [...word.slice(1)].entries()) {
    const name = `-${letter}`
    const kind = takes[name]
    if (kind === undefined) return null
    names.push(name)
    const isLast = at === word.length - 2
    if (isLast || (kind !== 'none' && grammar !== 'yargs')) return { names, takes: kind, hasValue: !isLast }
    if (kind !== 'none') return null
  }
  return null
}

type At = { readonly args: readonly string[]; readonly at: number; readonly known: Known }

function knownAt(flags: Flags, { args, at, known }: At): Found {
  const { names } = known
  const end = endOfValues(flags, { args, at, known })
  const part: Part = { kind: 'flag', names, words: args.slice(at, end), isKnown: true, isSuspect: false }
  const needs = !known.hasValue && (known.takes === 'one' || known.takes === 'many')
  if (needs && end === at + 1 && flags.grammar !== 'yargs') return { part, doubt: `${names.join(' ')} has no value` }
  return flags.grammar === 'other' && needs && isFlag(flags, args[at + 1] ?? '')
    ? { part, doubt: `"${args[at + 1]}" may be a flag, or the value of ${names.join(' ')}` }
    : { part }
}

/** Where the words end that belong to the flag. */
function endOfValues(flags: Flags, { args, at, known: { takes, hasValue } }: At): number {
  const { grammar } = flags
  const next = args[at + 1]
  // yargs takes more words also behind `--tools=a`.
  if (takes === 'many' && (!hasValue || grammar === 'yargs')) return endOfMany(flags, args, at + 1, !hasValue)
  if (hasValue || next === undefined) return at + 1
  switch (takes) {
    case 'none':
      return grammar === 'yargs' && /^(?:true|false)$/.test(next) ? at + 2 : at + 1
    case 'one':
      return grammar === 'yargs' && (next === '--' || isFlag(flags, next)) ? at + 1 : at + 2
    case 'optional':
    case 'many':
      return isDash(flags, next) ? at + 1 : at + 2
  }
}

/** commander takes the first value whatever it looks like. */
function endOfMany(flags: Flags, args: readonly string[], from: number, isFirst: boolean): number {
  const first = isFirst && flags.grammar === 'commander' && from < args.length ? from + 1 : from
  const end = args.findIndex((word, index) => index >= first && isDash(flags, word))
  return end === -1 ? args.length : end
}

const isDash = (flags: Flags, word: string): boolean => word === '--' || isFlag(flags, word)

/** Words in the name of a flag that is not known, and may do what must not be done twice. */
const SUSPECT = /prompt|message|query|question|task|input|image|attach|session|resume|continue|fork|thread|conversation/i

function unknownAt(flags: Flags, args: readonly string[], at: number): Found {
  const word = args[at] ?? ''
  const name = word.replace(/=.*$/s, '')
  const next = args[at + 1]
  const isSuspect = SUSPECT.test(name) || mayChoose(flags, word)
  const part = (words: readonly string[]): Part => ({ kind: 'flag', names: [name], words, isKnown: false, isSuspect })
  if (isSuspect) return { part: part([word]), doubt: `${name} is not known, and may carry a prompt or choose a conversation` }
  if (word.includes('=') || next === undefined || isDash(flags, next)) return { part: part([word]) }
  // pi gives the next word to every flag that an extension may have.
  if (flags.grammar === 'pi' && word.startsWith('--') && !next.startsWith('@')) return { part: part([word, next]) }
  return { part: part([word]), doubt: `"${next}" may be the value of ${name}, which is not known, or a prompt` }
}

/** Short flags that stand together, one of them not known: another may choose the conversation. */
const mayChoose = ({ grammar, choosing, prompting }: Flags, word: string): boolean =>
  grammar !== 'pi' && /^-[^-]./.test(word) && [...word].some((letter) => [...choosing, ...prompting].includes(`-${letter}`))

/** The value of a flag of a command line, as the next word or after `=`; the last one counts; null where there is none. */
export function flagValue(argv: readonly string[], flag: string): string | null {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const found = words.flatMap((word, index) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)]
    return word === flag ? [words[index + 1] ?? ''] : []
  })
  return found.at(-1) || null
}
