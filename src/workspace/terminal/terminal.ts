/**
 * src/workspace/terminal: one terminal, its states (this file), its life (step.ts, a pure function of record and event), and how it is
 * resumed (resume.ts). Pure: what was seen of programs and disks comes in as a value, effects go out as values. Start with the types
 * here, then events.ts, then step.ts.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Size } from '../../base/size.ts'
import type { Wrapper } from '../wrapper/wrapper.ts'

export type { Size } from '../../base/size.ts'

/**
 * A terminal is a place the user knows. What survives everything is `Kept`; what belongs to one state
 * exists only in that state. Where the terminal stands (workspace, layout, dock) is in the topology.
 */
export type Terminal = Asleep | Waking | Live | Settling

export type Asleep = Kept & { readonly state: 'asleep'; readonly since: number; readonly because: Because }
/** What a start that fails goes back to. */
type Trial = {
  /** As what it was started. A resume that begins with the original arguments, because there are no others, is a fresh start. */
  readonly mode: WakeMode
  /** The `lastRun` from before this wake: a start that fails has nothing to show, so its picture comes back. */
  readonly previousRun: RunId | null
  /** What was to be resumed before the user chose another conversation; null where none was chosen, or where it was seen to be real. */
  readonly previousRestore: Restore | null
}
export type Waking = Kept & {
  readonly state: 'waking'
  readonly run: RunId
  readonly since: number
} & Trial
export type Live = Kept & {
  readonly state: 'live'
  readonly run: RunId
  readonly since: number
  readonly pid: number
  readonly holderPid: number
  readonly link: Link
  readonly foreground: Foreground | null
  readonly agent: string | null
} & Trial
export type Settling = Kept & {
  readonly state: 'settling'
  readonly run: RunId
  /** Null while a terminal that was closed during its wake has not started yet. */
  readonly pid: number | null
  readonly holderPid: number | null
  readonly deadline: number
  readonly then: AfterSettling
  /** Of a terminal that is put to sleep; left out otherwise. */
  readonly slept?: Slept
}

export type Kept = {
  readonly id: TerminalId
  readonly name: string | null
  readonly spec: Spec
  /** The newest run this terminal had: its log and snapshot are what the terminal shows while asleep. */
  readonly lastRun: RunId | null
  /** What the program last called itself; control characters are stripped. */
  readonly title: string
  readonly theme: string | null
  readonly pinned: boolean
  /** Its notifications are off. */
  readonly muted: boolean
  /** Something happened in it that the user wants to know, and no client has shown it since. */
  readonly unread: boolean
  /** Nothing that its programs print or were given is written to disk: no log, screen, title, index, arguments or variables. */
  readonly private: boolean
  readonly restore: Restore
  /** Whether it is woken by itself after a crash: as the policy says, always, or never. */
  readonly onRestore: OnRestore
  readonly created: number
  readonly touched: number
  /** It was imported, and the user has not confirmed its command here: until then it is not started. */
  readonly imported?: Imported
}

/** `from` is the name of the machine, for reading. */
type Imported = { readonly from: string; readonly at: number }

export type Spec = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Only what the user set for this terminal; the inherited environment is built anew at each wake. */
  readonly env: Readonly<Record<string, string>>
  readonly size: Size
  /** What holds its programs; left out: our own holders. */
  readonly backend?: SpecBackend
  /** What its programs may do through HOLDFAST_SOCKET; left out: as the configuration says. */
  readonly may?: ProgramGrant
  /** How many arguments and variables a private terminal had that were not stored. Left out where all of them are here. */
  readonly withheld?: Withheld
}

/** Each includes the ones before it. All but `all` are about the program's own terminal. */
export const PROGRAM_GRANTS = ['report', 'read', 'send', 'all'] as const
export type ProgramGrant = (typeof PROGRAM_GRANTS)[number]

type Withheld = { readonly args: number; readonly env: number }

/** What can be asked for. */
export const BACKENDS = ['holder', 'tmux'] as const

export type SpecBackend =
  | { readonly kind: 'tmux' }
  /** A pane of the user's own tmux: it is shown and typed into, and never ended by us. */
  | {
      readonly kind: 'guest'
      readonly socket: string
      readonly pane: string
      /** What the pane ran when it was taken in: a server that was started anew gives the same name to another one. */
      readonly pid: number
      readonly session: string
    }

export const isGuest = ({ spec }: Pick<Kept, 'spec'>): boolean => spec.backend?.kind === 'guest'

export type Because =
  | ({ readonly kind: 'slept' } & Slept)
  | { readonly kind: 'exited'; readonly status: ExitStatus }
  | { readonly kind: 'lost' }
  /** `resumed` is the run of a resume that ended at once; null when nothing could be started at all. */
  | { readonly kind: 'failed'; readonly reason: string; readonly resumed: RunId | null }

/** How it came to sleep. */
export type Slept = {
  /** Left out: the user asked. */
  readonly by?: 'idle' | 'memory'
  /** Left out in records from before there was any. */
  readonly context?: SleepContext
}

/** What was known of the program before it was ended: afterwards it cannot be asked. */
export type SleepContext = {
  readonly directory: string
  readonly branch: string | null
  /** For reading, as in `Claude Code`. */
  readonly agent: string | null
  readonly pullRequest: PullRequest | null
  /** What its processes held in memory. */
  readonly freedBytes: number | null
}

export type PullRequest = { readonly number: number; readonly title: string; readonly url: string; readonly state: string }

export type ExitStatus = { readonly code: number } | { readonly signal: string }

/** Whether the daemon can talk to the holder. A link that is down says nothing about the program. */
export type Link =
  | { readonly kind: 'connected' }
  | { readonly kind: 'unreachable'; readonly why: string }
  | { readonly kind: 'incompatible'; readonly speaks: string }
  /** It runs in tmux without a holder; one is started when a client needs it. */
  | { readonly kind: 'unattached' }

export type Foreground = { readonly pid: number; readonly name: string }

export type AfterSettling = 'sleep' | 'close'

export type Restore =
  | { readonly kind: 'shell' }
  | {
      readonly kind: 'conversation'
      readonly agent: string
      readonly id: string
      readonly provenance: string
      /** Program and arguments that resume it. */
      readonly argv: readonly string[]
      /** Where its agent ran; left out: where the terminal starts. */
      readonly cwd?: string
      /** What its agent's files are found by; left out: nothing but what the terminal has. */
      readonly env?: Readonly<Record<string, string>>
      /** What its agent ran in, which `argv` does not have; left out in records from before it was looked for. */
      readonly wrapper?: Wrapper
    }
  /** The agent ran here, and which conversation it had is not known. `why` is left out where none was seen. */
  | { readonly kind: 'unknown'; readonly agent: string; readonly why?: UnknownWhy }
  /** The user has left the agent: a shell is wanted. `id` is the conversation that was left, if it was known. */
  | { readonly kind: 'quit'; readonly agent: string; readonly id: string | null; readonly wrapper?: Wrapper }

/** It could be that of another terminal as well, or another terminal has it. */
export const UNKNOWN_WHYS = ['ambiguous', 'taken'] as const
export type UnknownWhy = (typeof UNKNOWN_WHYS)[number]

export type WakeMode = 'resume' | 'fresh'

export const ON_RESTORE = ['policy', 'wake', 'sleep'] as const
export type OnRestore = (typeof ON_RESTORE)[number]

/** The part that every state shares; each new state is built on it, so that nothing of the old one stays behind. */
export function keptOf(terminal: Terminal): Kept {
  const {
    id,
    name,
    spec,
    lastRun,
    title,
    theme,
    pinned,
    muted,
    unread,
    private: isPrivate,
    restore,
    onRestore,
    created,
    touched,
    imported,
  } = terminal
  const details = { title, theme, pinned, muted, unread, private: isPrivate, created, touched }
  return { id, name, spec, lastRun, ...details, restore, onRestore, ...(imported === undefined ? {} : { imported }) }
}

/** The run that may still have a process: an asleep terminal has none. */
export function currentRun(terminal: Terminal): RunId | null {
  return terminal.state === 'asleep' ? null : terminal.run
}

/** Every run that the record names: its own, and the one it may go back to. */
export function runsNamedBy(terminal: Terminal): readonly RunId[] {
  const { lastRun } = terminal
  const run = currentRun(terminal)
  const previous = terminal.state === 'waking' || terminal.state === 'live' ? terminal.previousRun : null
  return [lastRun, run, previous].filter((named) => named !== null)
}
