import type { RunId } from '../../base/ids.ts'
import type { Rest } from './beforeWake.ts'
import type { Conversation } from './resume.ts'
import type {
  AfterSettling,
  Asleep,
  ExitStatus,
  Foreground,
  Link,
  OnRestore,
  Restore,
  Size,
  Slept,
  Terminal,
  WakeMode,
} from './terminal.ts'

/** Everything that can happen to a terminal. */
export type TerminalEvent =
  /** `isConfirmed`: the user has seen the command of an imported terminal, and wants it to run. */
  | {
      readonly kind: 'wakeAsked'
      readonly run: RunId
      readonly mode: WakeMode
      readonly chosen?: Conversation
      readonly isConfirmed?: boolean
    }
  /** It was to be woken, and nothing can be started as things are. */
  | { readonly kind: 'wakeRefused'; readonly reason: string }
  /** `mode` is how it was started in the end: a resume that has nothing to resume is a fresh start. */
  | { readonly kind: 'started'; readonly run: RunId; readonly pid: number; readonly holderPid: number; readonly mode: WakeMode }
  | { readonly kind: 'startFailed'; readonly run: RunId; readonly reason: string }
  | { readonly kind: 'sleepAsked'; readonly graceMs: number; readonly slept?: Slept }
  | { readonly kind: 'closeAsked'; readonly graceMs: number }
  | { readonly kind: 'settleTimedOut'; readonly run: RunId }
  /** `at` is given if it is known to be earlier than now: the daemon was away when it ended. */
  | { readonly kind: 'exited'; readonly run: RunId; readonly status: ExitStatus; readonly at?: number }
  | { readonly kind: 'lastWordsHeard'; readonly run: RunId; readonly words: string }
  | { readonly kind: 'holderLost'; readonly run: RunId }
  | { readonly kind: 'linkChanged'; readonly run: RunId; readonly link: Link }
  | { readonly kind: 'foregroundSeen'; readonly run: RunId; readonly foreground: Foreground | null }
  | { readonly kind: 'conversationSeen'; readonly run: RunId; readonly restore: Restore; readonly agent: string | null }
  /** It was seen that the user has left the agent, and that the shell it was started from has the keyboard again. */
  | { readonly kind: 'agentLeft'; readonly run: RunId; readonly agent: string }
  | { readonly kind: 'titled'; readonly run: RunId; readonly title: string }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'renamed'; readonly name: string | null }
  | { readonly kind: 'themed'; readonly theme: string | null }
  | { readonly kind: 'pinnedSet'; readonly pinned: boolean }
  | { readonly kind: 'mutedSet'; readonly muted: boolean }
  /** Its agent asks or is done, or its bell rang. */
  | { readonly kind: 'noticed'; readonly run: RunId }
  | { readonly kind: 'looked' }
  | { readonly kind: 'onRestoreSet'; readonly onRestore: OnRestore }
  /** Its user does without the arguments that were not stored: from now on its command is all that it runs. */
  | { readonly kind: 'withheldDropped' }

/** What the daemon must do, in this order. `keep` writes the record that stands beside it in the outcome. */
export type Effect =
  | { readonly kind: 'keep' }
  | { readonly kind: 'keepScreen'; readonly run: RunId }
  /** `after` is left out where the terminal is new. */
  | { readonly kind: 'spawn'; readonly run: RunId; readonly mode: WakeMode; readonly after?: Rest }
  /** Asks the program to finish. Asked again for the same run, it moves the deadline, and reaches a run that had not started before. */
  | { readonly kind: 'settle'; readonly run: RunId; readonly graceMs: number; readonly then: AfterSettling }
  | { readonly kind: 'kill'; readonly run: RunId }
  /** Reads the last line of a run whose screen is not shown, and tells it. */
  | { readonly kind: 'hearLastWords'; readonly run: RunId }
  | { readonly kind: 'releaseHolder'; readonly run: RunId }
  /** Takes the terminal away; `record` is what comes back if that is taken back in time. */
  | { readonly kind: 'forget'; readonly record: Asleep }
  | { readonly kind: 'announce' }

export type Outcome = { readonly terminal: Terminal | null; readonly effects: readonly Effect[] }
