/**
 * src/agents: what Holdfast knows about coding agents. Only base comes in, and what is read from disk or processes comes through a
 * `Look`. This file is the shape of one agent: how its processes look, how its conversations are named, found, resumed and left, and
 * what its files say about its state. programs/ has one file per agent, flags/ their flags as `--help` tells them, hooks/ what they
 * report by themselves. The files beside this one are shared by all agents: recognise.ts finds an agent among processes, identity.ts
 * and owner.ts its conversation, argv.ts what a resume carries, stateMerge.ts its state.
 */
import type { FlagTable } from './flags/flagTable.ts'
import type { StateReport } from './state.ts'

export type Agent = {
  /** Our word for it, and the usual name of its command. */
  readonly id: string
  readonly label: string
  readonly recognise: Recognise
  /** What the id of a conversation looks like, as a whole; what does not fit is never used. */
  readonly idPattern: RegExp
  /** Arguments that go on with one conversation; null where it cannot. */
  readonly resume: ((id: string) => readonly string[]) | null
  /** Arguments that continue the newest conversation of the directory, from the user’s configuration alone: no agent has them built in. */
  readonly latest: readonly string[] | null
  /** Arguments that give a new conversation this id; null where it takes none. */
  readonly assign: ((id: string) => readonly string[]) | null
  readonly flags: Flags
  /** Variables that say where its files are: a resume needs the same ones. */
  readonly configEnv: readonly string[]
  /** Its own way out, with which it saves and says what it has to. */
  readonly quit: Quit
  /** Group 1 is the id that it prints on leaving; matched on the text of the screen without line breaks. */
  readonly exitHint: RegExp | null
  /** Which conversations this very process, or its directory, has; none where its files do not tell. */
  readonly findings: (look: Look) => Promise<readonly Finding[]>
  /** Where a conversation lies on disk, and whether anything was said in it. */
  readonly transcript: (look: PlaceLook, id: string) => Promise<Transcript>
  /** What its files say about the state of a conversation; null where they do not tell. */
  readonly reading: ((look: Look, finding: Pick<Finding, 'id' | 'transcript'>) => Promise<Reading | null>) | null
  /** What a title or the screen tells about its state; null where they do not tell. */
  readonly shown: ((shown: { readonly title: string; readonly screen: readonly string[] }) => Omit<StateReport, 'at'> | null) | null
}

type Recognise = {
  /** Base names of its executable or script, without `.js` and the like. */
  readonly names: readonly string[]
  /** Parts of the path of its script or executable, such as `/@openai/codex/`. */
  readonly paths: readonly string[]
}

/** The library that an agent reads its command line with. `other`: not known. */
type Grammar = 'commander' | 'clap' | 'yargs' | 'pi' | 'other'

/** How a command line is read, and which of its flags a resume leaves out. Every other flag is carried as it was typed. */
export type Flags = {
  readonly grammar: Grammar
  /** Every flag of which it is known how many values it takes. */
  readonly takes: FlagTable
  /** Flags and subcommands with which the user has chosen or named the conversation: such a run is given no id. */
  readonly choosing: readonly string[]
  /** They send something to the model: what was asked once must not be asked again. */
  readonly prompting: readonly string[]
  /** They act when the agent is first started, such as `--worktree`; the directory that it then has is kept. */
  readonly once: readonly string[]
  /** With one of these it saves no conversation: there is nothing to resume. */
  readonly unsaved: readonly string[]
  /** With one of these words it is no conversation: `--version`, `mcp`, `exec`. */
  readonly notConversation: readonly string[]
}

export type Quit =
  /** To the foreground process group. */
  | { readonly kind: 'signal'; readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }
  /** Typed one after the other, in the notation of `holdfast send --key`. */
  | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly everyMs: number }

/** The sources that name a conversation, the most reliable first. */
export const PROVENANCES = ['user', 'assigned', 'hook', 'registration', 'open-file', 'store', 'printed', 'latest'] as const
export type Provenance = (typeof PROVENANCES)[number]

export type Finding = {
  readonly id: string
  readonly provenance: Provenance
  /** Path of the transcript, or of the database; null while nothing was said: then there is nothing to resume yet. */
  readonly transcript: string | null
  /** When the conversation began, in ms; null where that is not known. */
  readonly began: number | null
  /** When something was first said in it, by the clock of this machine; left out where its files do not tell. */
  readonly asked?: number
  /** When something was last written in it; left out where its files do not tell. */
  readonly used?: number
}

/** `empty`: its files exist, but nothing was said in it, so its agent cannot resume it. `unknown`: the files cannot be read. */
export type Transcript = { readonly kind: 'there'; readonly path: string } | { readonly kind: 'empty' | 'gone' | 'unknown' }

export type Reading = {
  readonly state: StateReport | null
  readonly model: string | null
  readonly title: string | null
  /** In the context of the newest answer; null where it is not told. */
  readonly tokens: number | null
}

/** One process, as the system tells it. */
export type ProcessSight = {
  readonly pid: number
  /** Together with the pid it names one process for ever. */
  readonly start: string
  readonly parent: number
  readonly group: number
  readonly session: string
  readonly name: string
  /** Path of the executable; null where the system does not tell. */
  readonly executable: string | null
  readonly argv: readonly string[]
}

/**
 * A process as it names itself. Inside a sandbox its number is another one, which a process in the next sandbox has as well:
 * there only number, start and space together name one process.
 */
export type SelfName = {
  readonly pid: number
  readonly start: string
  /** The pid namespace that its number belongs to; null where the system has or tells none. */
  readonly space: string | null
  /** Whether that is another space than the one in which Holdfast sees it. */
  readonly isInside: boolean
}

/** The agent that has the keyboard of a terminal. */
export type AgentProcess = {
  readonly agent: string
  readonly process: ProcessSight
  /** All pids that are this agent: wrappers and their real ones. */
  readonly pids: readonly number[]
  /** The same processes as they name themselves in their files. A process that cannot be seen well enough is left out. */
  readonly selves: readonly SelfName[]
  readonly cwd: string | null
  /** Only what `configEnv` names. */
  readonly env: Readonly<Record<string, string>>
  /** When it started, in ms. */
  readonly startedAt: number
}

export type FileSight = {
  readonly name: string
  readonly path: string
  readonly isDirectory: boolean
  readonly size: number
  readonly modified: number
  readonly born: number
}

/** Where to look for conversations without a process. */
export type PlaceLook = {
  readonly home: string
  readonly cwd: string
  /** Of the agent's own environment; what `configEnv` names. */
  readonly env: Readonly<Record<string, string>>
  /** The agent's command line, program first: flags may say where its files are. */
  readonly argv: readonly string[]
  /** Null where there is no such file, or it may not be read. `tail` bytes from its end, whole lines only. */
  readText(path: string, options?: { readonly tail?: number; readonly head?: number }): Promise<string | null>
  list(directory: string): Promise<readonly FileSight[]>
  stat(path: string): Promise<FileSight | null>
  /** The path without symbolic links; the path itself where it does not exist. */
  real(path: string): Promise<string>
  /** Rows of a database that the agent writes; none where it cannot be read. */
  query(database: string, sql: string, parameters: readonly (string | number)[]): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export type Look = PlaceLook & {
  readonly process: AgentProcess
  /** Paths of the files that the agent's processes hold open. */
  openFiles(): Promise<readonly string[]>
}
