import type { Topology } from '../layout/topology.ts'
import type { Environment } from '../redact/environment.ts'
import type { Asleep } from './terminal.ts'

/**
 * What is kept of a terminal that was closed, for as long as that can be taken back. Its runs and screens are kept beside
 * it and go with it.
 */
export type Closed = {
  /** The record as it comes back. */
  readonly terminal: Asleep
  readonly at: number
  /** From then on it is gone for good. */
  readonly until: number
  /** Where everything stood just before. */
  readonly before: Topology
  /** Where its program was last seen, and its environment, redacted. */
  readonly seen: { readonly cwd: string | null; readonly env: Environment }
  /** What was removed, or was about to be, with it. */
  readonly worktree: RemovedWorktree | null
}

export type RemovedWorktree = {
  readonly path: string
  /** The repository that it belongs to. */
  readonly root: string
  /** Null where no branch was checked out. */
  readonly branch: string | null
  readonly commit: string
}

/** Long enough to notice a mistake; what it costs is disk, and that is bounded by `log_total_bytes` soon after. */
export const CLOSED_FOR_MS = 5 * 60_000
