/** What a run's screen tells beside its picture. */
import type { ProgramStatus } from '../../agents/programStatus.ts'
import type { DroppedKind } from './eventRates.ts'

export type SessionEvents = {
  titled(title: string): void
  /** The program reports its directory. */
  moved(cwd: string): void
  /** The program's own status. Of those from before it was followed, only the last is told. */
  stated(status: ProgramStatus): void
  /** The program rang the bell. Not told for bytes whose bells an earlier daemon has heard. */
  rang(): void
  /** An event came faster than its rate: a later one replaces it, or, for a query, nothing. */
  dropped(kind: DroppedKind): void
  /** A snapshot was made; these parts of it would not be restored exactly. */
  snapshotTaken(differs: readonly string[]): void
  trouble(why: string): void
  /** Sentences about what of the log on disk is lost; none when all of it could be read. */
  damaged(faults: readonly string[]): void
  changed(): void
  /** Everything that the program printed is on the screen. */
  ended(): void
  /** Whether a wait looks for a text: then `passing` is called before any line can leave the scrollback. */
  isLookedAt(): boolean
  passing(): void
}

/** Tells nothing. */
export const UNHEARD: SessionEvents = {
  titled: () => undefined,
  moved: () => undefined,
  stated: () => undefined,
  rang: () => undefined,
  dropped: () => undefined,
  snapshotTaken: () => undefined,
  trouble: () => undefined,
  damaged: () => undefined,
  changed: () => undefined,
  ended: () => undefined,
  isLookedAt: () => false,
  passing: () => undefined,
}
