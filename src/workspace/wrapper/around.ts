/**
 * Finds the wrapper of an agent: in the command line that the terminal was started with, in the processes between the terminal
 * and the agent, and, of what replaced itself by the agent and is not to be seen any more, in what it has left behind.
 */
import type { Agent } from '../../agents/agent.ts'
import { argsOf } from '../../agents/argv.ts'
import { baseName, scriptOf } from '../../agents/program.ts'
import { agentOfProcess } from '../../agents/recognise.ts'
import { isLoginLine, isLoginRoot } from '../command/loginShell.ts'
import { isPlainShell } from '../command/plainShell.ts'
import type { Differences } from './confinement.ts'
import { NPM_NAMES, namesAgent, npxBefore, runnerBefore } from './runners.ts'
import { plainWords, unsureOf, type Wrapper, type WrapperLine } from './wrapper.ts'

/** Of the variables, only those of `TOLD_NAMES`. */
type Told = Readonly<Record<string, string>>

/** A process between the terminal and the agent. */
export type Above = {
  readonly argv: readonly string[]
  readonly cwd: string | null
  readonly env: Told
  /** Compared with the holder, which nothing confines. */
  readonly confined: Differences
}

export type Around = {
  readonly agent: Agent
  /** Of the agent itself. */
  readonly own: Above
  /** What the holder was told to start, and where. */
  readonly started: { readonly argv: readonly string[]; readonly cwd: string }
  /** From the terminal's first process downwards. */
  readonly above: readonly Above[]
  /** Whether the system tells the words of a command line apart. */
  readonly hasWords: boolean
  /** With what the terminal would be resumed, as it was kept. */
  readonly kept: Wrapper | null
}

/** Variables by which environment tools are known that are gone when the agent runs. */
const TOOLS: Readonly<Record<string, string>> = {
  AWS_VAULT: 'aws-vault',
  IN_NIX_SHELL: 'nix',
  DEVBOX_SHELL_ENABLED: 'devbox',
  FLOX_ENV: 'flox',
  GUIX_ENVIRONMENT: 'guix shell',
}
/** A shell hook of the user that makes the same environment again wherever the directory is entered. */
const DIRENV = 'DIRENV_DIR'

/** The variables that are looked at; none of them is ever kept. */
export const TOLD_NAMES: readonly string[] = [...NPM_NAMES, ...Object.keys(TOOLS), DIRENV]

/** They give up rights of their own before they start anything. */
const GIVES_UP_RIGHTS = new Set(['bwrap', 'firejail', 'nsjail', 'minijail0', 'capsh', 'sudo', 'doas', 'su', 'runuser', 'pkexec'])

export function wrapperAround(around: Around): Wrapper {
  const { own, started, above, kept } = around
  // It is our own start that runs: what it was told is what was kept, also where that has replaced itself meanwhile.
  if (kept !== null && above[0] !== undefined && isLoginRoot(above[0].argv)) return kept
  const isOwn = !isTransparent(started.argv) && agentOfProcess(sightOf(started.argv), [around.agent]) === null
  if (isOwn) return aroundStarted(around)
  const at = above.findIndex(({ argv }) => !isTransparent(argv))
  const outermost = above[at]
  if (outermost === undefined) return hidden(around, own) ?? { kind: 'none' }
  const unsure = unsureOf(outermost.argv)
  const trace = hidden(around, outermost)
  if (trace !== null) return trace
  if (above.slice(at + 1).some(({ argv }) => isPlainShell(argv))) return unsure('the agent was started from a shell inside it')
  if (!around.hasWords) return unsure('this system does not tell the words of its command line apart')
  return lineOf(around, outermost) ?? unsure(NOT_THERE)
}

const NOT_THERE = 'that command line does not end with the agent’s own words'

/** The terminal was made for it: its words are known exactly, whatever became of its process. */
function aroundStarted(around: Around): Wrapper {
  const { started, above } = around
  const unsure = unsureOf(started.argv)
  if (above.some(({ argv }) => isPlainShell(argv))) return unsure('the agent was started from a shell inside it')
  return lineOf(around, started) ?? unsure(NOT_THERE)
}

/** A shell at its prompt, or our own start. */
const isTransparent = (argv: readonly string[]): boolean => isPlainShell(argv) || isLoginRoot(argv) || isLoginLine(argv.slice(1))

const sightOf = (argv: readonly string[]) => ({
  ...{ pid: 0, start: '', parent: 0, group: 0, session: '', name: '', executable: null },
  argv,
})

/** What stood above this process and has replaced itself: it cannot be seen, only what it has left. */
function hidden({ own, above }: Around, process: Above): Wrapper | null {
  const { places, rights } = process.confined
  const isOwn = process === own
  const unsure = unsureOf(process.argv)
  if (places.length > 0) return unsure(`it runs confined (${places.join(', ')}), and what confined it cannot be seen`)
  if (rights.length > 0 && (isOwn || !GIVES_UP_RIGHTS.has(baseName(process.argv[0] ?? ''))))
    return unsure(`it runs with other rights than the terminal (${rights.join(', ')}), and what took them cannot be seen`)
  const root = above[0]
  const tool = Object.keys(TOOLS).find((name) => process.env[name] !== undefined && root !== process && root?.env[name] === undefined)
  if (tool === undefined || process.env[DIRENV] !== undefined) return null
  return unsure(`it runs in an environment of ${TOOLS[tool]} (${tool}), and what made that cannot be seen`)
}

type Line = { readonly argv: readonly string[]; readonly cwd: string | null }

function lineOf(around: Around, line: Line): Wrapper | null {
  const { agent, own } = around
  const args = argsOf(agent, own.argv)
  if (args.length > 0 && args.every((word) => word === '')) return null // it has written over its own command line
  const found = beforeIn(around, line.argv, args)
  if (found === null) return null
  return { kind: 'line', ...found, ...(line.cwd === null || line.cwd === own.cwd ? {} : { cwd: line.cwd }) }
}

type Found = Pick<WrapperLine, 'before' | 'text'>

function beforeIn({ agent, own }: Around, argv: readonly string[], args: readonly string[]): Found | null {
  const textAt = textIn(argv)
  if (textAt !== null) return fromText({ agent, own }, { argv, at: textAt, args })
  const npx = npxBefore({ argv, args, env: own.env })
  if (npx !== null) return { before: npx }
  const at = argv.length - args.length
  const isTail = at > 1 && args.every((word, index) => argv[at + index] === word)
  if (isTail && isAgentWord({ agent, own }, argv[at - 1] ?? '')) return { before: argv.slice(0, at) }
  const before = runnerBefore(argv, args)
  return before === null ? null : { before }
}

type Whose = Pick<Around, 'agent' | 'own'>

const isAgentWord = ({ agent, own }: Whose, word: string): boolean =>
  namesAgent(agent, word) || (word !== '' && word === scriptOf(own.argv)?.path)

const SHELLS = /^-?(?:sh|bash|zsh|dash|ash|ksh|ksh93|mksh|yash|fish|csh|tcsh)$/
/** Others that hand a text to a shell, and how many words may stand before it that are no options: a user. */
const OPERANDS: ReadonlyMap<string, number> = new Map([
  ['script', 0],
  ['su', 1],
  ['runuser', 1],
])
const GIVES_TEXT = /^(?:-[A-Za-z]*c|--command)$/

/** Where the text for a shell stands; null where the command line has none. A `-c` behind another command is that one's. */
function textIn(argv: readonly string[]): number | null {
  const name = baseName(argv[0] ?? '')
  const most = SHELLS.test(name) ? (scriptOf(argv) === null ? argv.length : null) : (OPERANDS.get(name) ?? null)
  const at = argv.findIndex((word, index) => index > 0 && GIVES_TEXT.test(word))
  if (most === null || at === -1 || argv[at + 1] === undefined) return null
  return argv.slice(1, at).filter((word) => !/^-./.test(word)).length > most ? null : at + 1
}

type Text = { readonly argv: readonly string[]; readonly at: number; readonly args: readonly string[] }

/** Only a text that is the agent's command line and nothing else can be written anew. */
function fromText(whose: Whose, { argv, at, args }: Text): Found | null {
  const words = plainWords(argv[at] ?? '')
  if (words === null) return null
  const program = words[0] === 'exec' ? 1 : 0
  const isSame = words.length === program + 1 + args.length && args.every((word, index) => words[program + 1 + index] === word)
  if (!isSame || !isAgentWord(whose, words[program] ?? '')) return null
  return { before: argv.slice(0, at), text: { words: words.slice(0, program + 1), after: argv.slice(at + 1) } }
}
