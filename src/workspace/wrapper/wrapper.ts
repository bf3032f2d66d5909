/**
 * src/workspace/wrapper: what stood between a terminal and its agent. around.ts finds it, runners.ts knows npx and its kin,
 * confinement.ts compares the rights of processes. The resume (../terminal/resume.ts) runs the same wrapper again.
 */
import type { Agent } from '../../agents/agent.ts'
import { argsOf, doubtOf } from '../../agents/argv.ts'
import { commandText } from '../command/commandText.ts'
import { redactArgv } from '../redact/redact.ts'
import { safeText } from '../text.ts'

/**
 * What stood between a terminal and its agent: a sandbox, a container, an environment tool, a runner such as `npx`. It is part
 * of how the agent starts, so a resume runs the same command line with only the agent's arguments replaced. Where that line
 * is not certain, nothing is resumed until the user has chosen.
 */
export type Wrapper =
  /** Looked for, and there was none. A record without any is from before it was looked for. */
  | { readonly kind: 'none' }
  | WrapperLine
  /** `ran` is the command line as shown; `why` completes "it is not certain how to start it like that again: ". */
  | {
      readonly kind: 'unsure'
      readonly ran: string
      readonly why: string
      /** Where only the agent's own flags are in doubt: what it runs in all the same. */
      readonly inside?: WrapperLine
    }

export type WrapperLine = {
  readonly kind: 'line'
  /** The words up to the agent's arguments: `bwrap … -- claude`, `npx -y PACKAGE`. */
  readonly before: readonly string[]
  /** Where the agent stands in a text for a shell, which is then one word behind `before`. */
  readonly text?: {
    /** Its words before the agent's arguments: `claude`, `exec claude`. */
    readonly words: readonly string[]
    /** The words of the command line behind the text. */
    readonly after: readonly string[]
  }
  /** Where it was run, if that is not where the agent is. */
  readonly cwd?: string
}

/** Words that every shell reads as themselves. */
const isPlainWord = (word: string): boolean => /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)

/** The words of a text that is nothing but words; null where a shell would do more with it than split it. */
export function plainWords(text: string): readonly string[] | null {
  const words = text.split(/[ \t]+/).filter((word) => word !== '')
  return words.length > 0 && words.every(isPlainWord) ? words : null
}

/** The whole command line with these arguments for the agent; null where they cannot be put into it. */
export function wrappedArgv({ before, text }: WrapperLine, args: readonly string[]): readonly string[] | null {
  if (text === undefined) return [...before, ...args]
  const words = [...text.words, ...args]
  return words.every(isPlainWord) ? [...before, words.join(' '), ...text.after] : null
}

/** What is left around the agent once the user has chosen the command line that was offered. */
export const offeredWrapper = (wrapper: Wrapper | undefined): Wrapper =>
  (wrapper?.kind === 'unsure' ? wrapper.inside : undefined) ?? { kind: 'none' }

const LONGEST_TEXT = 1_000 // characters: more than is read

/** A command line to be read, without secrets. */
function lineText(argv: readonly string[]): string {
  const [command = '', ...args] = redactArgv(argv.filter((word, at) => at === 0 || word !== ''))
  return safeText(args.length === 0 ? command : commandText(command, args), LONGEST_TEXT)
}

export const unsureOf =
  (argv: readonly string[]) =>
  (why: string): Wrapper => ({ kind: 'unsure', ran: lineText(argv), why })

/**
 * A command line of an agent that can be read in more than one way is not run again unless the user chooses: it is treated
 * like a wrapper that is not certain.
 */

type Started = {
  readonly agent: Agent
  /** The agent's own command line. */
  readonly argv: readonly string[]
  /** Whether the system tells the words of a command line apart. */
  readonly hasWords: boolean
}

export function unlessInDoubt(wrapper: Wrapper, { agent, argv, hasWords }: Started): Wrapper {
  const why = wrapper.kind === 'unsure' ? null : doubtOf(agent, argv, { hasWords })
  if (why === null) return wrapper
  if (wrapper.kind !== 'line') return unsureOf(argv)(why)
  const line = [...wrapper.before, ...(wrapper.text?.words ?? []), ...argsOf(agent, argv)]
  return { kind: 'unsure', ran: lineText(line), why, inside: wrapper }
}
