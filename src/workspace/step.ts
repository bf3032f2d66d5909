import type { RunId } from '../base/ids.ts'
import type { AfterSettling, ExitStatus, Foreground, Link, Restore, Size, Terminal, WakeMode } from './terminal.ts'

/** Everything that can happen to a terminal. */
export type TerminalEvent =
  | { readonly kind: 'wakeAsked'; readonly run: RunId; readonly mode: WakeMode }
  | { readonly kind: 'started'; readonly run: RunId; readonly pid: number; readonly holderPid: number }
  | { readonly kind: 'startFailed'; readonly run: RunId; readonly reason: string }
  | { readonly kind: 'sleepAsked'; readonly graceMs: number }
  | { readonly kind: 'closeAsked'; readonly graceMs: number }
  | { readonly kind: 'settleTimedOut'; readonly run: RunId }
  | { readonly kind: 'exited'; readonly run: RunId; readonly status: ExitStatus }
  | { readonly kind: 'holderLost'; readonly run: RunId }
  | { readonly kind: 'linkChanged'; readonly run: RunId; readonly link: Link }
  | { readonly kind: 'foregroundSeen'; readonly run: RunId; readonly foreground: Foreground | null }
  | { readonly kind: 'conversationSeen'; readonly run: RunId; readonly restore: Restore; readonly agent: string | null }
  | { readonly kind: 'titled'; readonly run: RunId; readonly title: string }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'renamed'; readonly name: string | null }
  | { readonly kind: 'themed'; readonly theme: string | null }
  | { readonly kind: 'pinnedSet'; readonly pinned: boolean }

/** What the daemon must do, in this order. `keep` writes the record that stands beside it in the outcome. */
export type Effect =
  | { readonly kind: 'keep' }
  | { readonly kind: 'keepScreen'; readonly run: RunId }
  | { readonly kind: 'spawn'; readonly run: RunId; readonly mode: WakeMode }
  | { readonly kind: 'settle'; readonly run: RunId; readonly graceMs: number; readonly then: AfterSettling }
  | { readonly kind: 'kill'; readonly run: RunId }
  | { readonly kind: 'releaseHolder'; readonly run: RunId }
  | { readonly kind: 'forget' }
  | { readonly kind: 'announce' }

export type Outcome = { readonly terminal: Terminal | null; readonly effects: readonly Effect[] }

export declare function step(terminal: Terminal, event: TerminalEvent, now: number): Outcome
