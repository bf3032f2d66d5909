/** What is to be forgotten, as it crosses threads and survives a crash. */
import type { RunId, TerminalId } from '../base/ids.ts'

export type ForgetOrder = {
  readonly terminals: readonly TerminalId[]
  /** All runs of these terminals, and old ones of terminals that stay. */
  readonly runs: readonly RunId[]
  /** Checkpoints and audit entries from before this moment go, too; null: none do. */
  readonly before: number | null
}

/** The order stands here from before the first step until after the last one: what a crash interrupts is finished by the next daemon. */
export const FORGETTING = 'forgetting'

/** What of an order is there. */
export type Traces = {
  /** Removed altogether, and changed. */
  readonly checkpoints: { readonly removed: number; readonly changed: number }
  readonly screens: number
  readonly auditEntries: number
  /** Of screens, as they are packed. */
  readonly bytes: number
}

export type PastTerminal = {
  readonly id: TerminalId
  readonly name: string | null
  readonly lastSeen: number
  readonly runs: readonly RunId[]
}
