/** What the parts about agents see of the daemon. Nothing else of it is known in this folder. */
import type { ProgramStatus } from '../../agents/programStatus.ts'
import type { RunId, SessionId, TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Paths } from '../../wire/paths.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Argv } from '../../workspace/terminal/resume.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'

export type AgentWorld = AuditWorld & {
  readonly startedAt: number
  readonly config: Config
  readonly registry: {
    all(): readonly Terminal[]
    byRun(run: RunId): Terminal | null
    apply(id: TerminalId, event: TerminalEvent): Promise<void>
  }
  readonly closed: { all(): readonly { readonly terminal: Terminal }[] }
  readonly holders: { card(run: RunId): HolderCard | null }
  readonly screens: {
    has(run: RunId): boolean
    read(run: RunId, options: { readonly history: number; readonly format: 'text' }): Promise<{ readonly content: string }>
    statusOf(run: RunId): { readonly status: ProgramStatus; readonly at: number } | null
  }
  readonly runScreens: { readonly deferred: { textOf(run: RunId): Promise<string> } }
  readonly checkpoints: { lookAt(terminal: Terminal): Promise<unknown> }
  readonly audience: { announceTerminal(id: TerminalId): void }
  /** For something that happened by itself: failures are logged and tried again. */
  react(id: TerminalId, event: TerminalEvent): void
}

/** For the log of what was decided about agents. */
export type AuditWorld = {
  readonly log: Log
  readonly store: Pick<Store, 'appendAudit' | 'audit'>
  readonly registry: { get(id: TerminalId): Terminal | null }
  readonly checkpoints: { readonly session: SessionId }
}

/** For the choice of what a terminal starts. */
export type StartWorld = {
  readonly config: Config
  readonly paths: Paths
  readonly log: Log
  readonly checkpoints: { readonly seen: { placeOf(run: RunId): string | null } }
  readonly agents: { couldOwn(terminal: TerminalId, argv: Argv): readonly string[] }
  react(id: TerminalId, event: TerminalEvent): void
}
