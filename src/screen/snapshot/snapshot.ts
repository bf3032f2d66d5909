/**
 * src/screen/snapshot: a screen as bytes and back. takeSnapshot.ts and serialize.ts write it, compare.ts checks that it is exact,
 * restoreSnapshot.ts builds a screen from it, snapshotBytes.ts is the file format, still.ts a picture for the page.
 */
import type { LinkTable } from '../engine/links.ts'
import type { LinePatch } from '../engine/patches.ts'
import type { KeptProgramState } from '../engine/programState.ts'
import type { LineMark } from '../lines/lines.ts'
import type { EngineState } from './beyondAnsi.ts'

/**
 * One screen at one seq. The picture and nearly all of the state are ANSI for a fresh terminal of the same size, so that a
 * user's own terminal or the page can be brought up to date with it too. What ANSI cannot say stands in fields beside it,
 * for a screen of ours.
 */
export type Snapshot = {
  readonly version: 2
  /** The snapshot shows the run after this many output bytes; the next ones are the log's from here. */
  readonly seq: number
  readonly cols: number
  readonly rows: number
  /** Lines that have scrolled away, oldest first. */
  readonly history: readonly HistoryChunk[]
  /** The visible screen, the screen beneath an alternate one, modes, cursor, pen. */
  readonly screen: string
  /** Nearly always empty: the part of an unfinished sequence whose control characters have taken effect already. */
  readonly pending: string
  readonly title: string
  /** Where this is in the numbers of the run's lines. */
  readonly lines: LineMark
  readonly engine: EngineState
  readonly program: KeptProgramState
  readonly links: LinkTable
  /** Of the screen; those of the history are with it. */
  readonly patches: { readonly normal: readonly LinePatch[]; readonly alternate: readonly LinePatch[] }
}

export type HistoryChunk = {
  readonly rows: number
  /** Whether the first row continues the one before it. */
  readonly continued: boolean
  readonly ansi: string
  readonly patches: readonly LinePatch[]
}

/** What to write into a fresh (or just reset) terminal of the same size. */
export function snapshotAnsi(snapshot: Snapshot, { history = true }: { history?: boolean } = {}): string {
  const title = snapshot.title === '' ? '' : `\x1b]2;${snapshot.title}\x1b\\`
  const past = history ? snapshot.history.map(({ ansi }) => ansi).join('') : ''
  return title + past + snapshot.screen + snapshot.pending
}

export const historyRows = (snapshot: Snapshot): number => snapshot.history.reduce((sum, { rows }) => sum + rows, 0)
