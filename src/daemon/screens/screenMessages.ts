/** What the daemon's main thread and its screen workers say to each other. */
import type { ProgramStatus } from '../../agents/programStatus.ts'
import type { RunId } from '../../base/ids.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { RunLogFiles } from '../history/runLog.ts'
import type { Source } from '../history/source.ts'
import type { Dropped } from './eventRates.ts'

export type SessionOrder = {
  readonly run: RunId
  readonly source: Source
  /** The run's, with its log and its anchors. */
  readonly directory: string
  /** Bytes of output between two anchors. */
  readonly anchorEvery: number
  readonly size: Size
  readonly scrollback: number
  readonly snapshot: { readonly seq: number; readonly bytes: Uint8Array } | null
  /** The program's status in the snapshot was told before. */
  readonly isRecalled?: boolean
  /** Output before and after this seq is never fed in one piece: a wait begins between the two. */
  readonly cutAt?: number
}

/** A moment of a run, from which its log is looked through once more. */
export type Since = { readonly order: SessionOrder; readonly seq: number }

/** The end of a run that has ended: its log may go on after the snapshot. */
export type AtTheEnd = RunLogFiles & { readonly seq: number }

/** `mark` is the line between the two runs; lines before it have numbers below -1. */
export type EarlierOrder = {
  readonly order: SessionOrder
  readonly mark: string
  /** It was asked to end: what it showed before that says more than what it left behind. */
  readonly isPictureKept: boolean
  /** At most 0, which is the first line of the run after it. */
  readonly before: number
  readonly count: number
  readonly format: LineFormat
}

export type Ask =
  | { readonly kind: 'open'; readonly order: SessionOrder }
  | { readonly kind: 'close'; readonly run: RunId }
  /** For keeping: null when nothing changed since the last one. `ended` waits until the exit has been read. */
  | { readonly kind: 'snapshot'; readonly run: RunId; readonly ended: boolean; readonly always: boolean }
  | { readonly kind: 'dirtySnapshots' }
  /** For showing: ANSI that paints the screen, and the seq from which to go on. */
  | { readonly kind: 'paint'; readonly run: RunId; readonly history: number; readonly since: number | null }
  /** Lines by number: `count` of them before one, or the last ones. */
  | {
      readonly kind: 'page'
      readonly run: RunId
      readonly before: number | null
      readonly count: number
      readonly format: LineFormat
    }
  | { readonly kind: 'read'; readonly run: RunId; readonly history: number | 'all'; readonly format: LineFormat }
  /** Lines of a run that has ended, shown above those of the run after it. */
  | ({ readonly kind: 'earlier' } & EarlierOrder)
  /** A snapshot that belongs to no open session, as text. `end`: only if the run's log has nothing to add to it. */
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly format: LineFormat; readonly end: AtTheEnd | null }
  | { readonly kind: 'gist'; readonly bytes: Uint8Array }
  /** For the index: `count` lines from one on that will not change any more. `ended`: nothing will. */
  | { readonly kind: 'finished'; readonly run: RunId; readonly from: number; readonly count: number; readonly ended: boolean }
  /** For searching what is not indexed yet: the lines from one on, as far as they are in memory, and the alternate screen. */
  | { readonly kind: 'newest'; readonly run: RunId; readonly from: number }
  | { readonly kind: 'waitText'; readonly run: RunId; readonly pattern: string; readonly wait: number; readonly since: Since | null }
  | { readonly kind: 'waitIdle'; readonly run: RunId; readonly ms: number; readonly wait: number }
  /** Answered when everything before `seq` is on the screen, or never will be. */
  | { readonly kind: 'waitShown'; readonly run: RunId; readonly seq: number; readonly wait: number }
  | { readonly kind: 'cancelWait'; readonly wait: number }
  | { readonly kind: 'ping' }

export type SnapshotReply = { readonly run: RunId; readonly seq: number; readonly bytes: Uint8Array }
/** `lines` tells the oldest line that exists, and the oldest one that the paint begins with. */
export type PaintReply = {
  readonly seq: number
  readonly size: Size
  readonly lines: { readonly first: number; readonly from: number }
  readonly bytes: Uint8Array
  /** How many lines of those that were asked for are from before the run's first. */
  readonly rest: number
}
/** `end` is the number after the last line there is. */
export type PictureReply = { readonly content: string; readonly lines: { readonly first: number; readonly from: number } }
/** What a snapshot says without being drawn. */
export type Gist = {
  readonly cwd: string
  readonly status: ProgramStatus | null
  /** The line at the top of the screen. */
  readonly top: number
}
export type ReadReply = {
  readonly content: string
  readonly lines: { readonly first: number; readonly from: number }
  /** Sentences about what is missing between these lines. */
  readonly faults: readonly string[]
  /** How many lines of those that were asked for are from before the run's first. */
  readonly rest: number
}
export type PageReply = { readonly first: number; readonly from: number; readonly end: number; readonly lines: readonly string[] }

/** `oldest` is the oldest line that there is, `from` the first of these. */
export type EarlierReply = {
  readonly oldest: number
  readonly from: number
  readonly lines: readonly string[]
  readonly faults: readonly string[]
}

/** Lines before `first` are gone, those from `until` on may still change. `isReplayed`: they were read from the log. */
export type FinishedReply = {
  readonly first: number
  readonly from: number
  readonly until: number
  readonly lines: readonly string[]
  readonly isReplayed: boolean
}
/** `until` as above; `alternate` is what a program shows that uses the whole screen, else null. */
export type NewestReply = {
  readonly from: number
  readonly until: number
  readonly lines: readonly string[]
  readonly alternate: readonly string[] | null
}

/** The text that matched; null when the wait was cancelled or the session ended first. */
export type WaitedText = string | null | { readonly isTooSlow: true }

export type Replies = {
  open: null
  close: null
  snapshot: SnapshotReply | null
  dirtySnapshots: SnapshotReply[]
  paint: PaintReply
  page: PageReply
  read: ReadReply
  earlier: EarlierReply
  picture: PictureReply | null
  gist: Gist | null
  finished: FinishedReply
  newest: NewestReply
  waitText: WaitedText
  waitIdle: boolean
  waitShown: boolean
  cancelWait: null
  ping: null
}

export type ToWorker =
  | { readonly kind: 'ask'; readonly id: number; readonly ask: Ask }
  /** What the run's program caused was taken: more may be told. */
  | { readonly kind: 'heard'; readonly run: RunId }

/** What a program causes beside the picture, at the rates of screens/eventRates.ts. */
export type ToldEvent =
  | { readonly kind: 'title'; readonly title: string }
  /** The directory that the program reports. */
  | { readonly kind: 'cwd'; readonly cwd: string }
  /** The program's own status. */
  | { readonly kind: 'status'; readonly status: ProgramStatus }
  | { readonly kind: 'bell' }

/** `top` is the line at the top of its screen; `dropped`, what was not told since the last time. */
export type Printed = { readonly run: RunId; readonly top: number; readonly dropped?: Dropped }

export type FromWorker =
  | { readonly kind: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string }
  /** To be answered with `heard`; until then nothing more is told of the run. */
  | { readonly kind: 'told'; readonly run: RunId; readonly events: readonly ToldEvent[] }
  /** These have printed something. Said once in a while. */
  | { readonly kind: 'printed'; readonly runs: readonly Printed[] }
  /** In what it would come back otherwise; nothing when it is exact. */
  | { readonly kind: 'snapshotTaken'; readonly run: RunId; readonly differs: readonly string[] }
  | { readonly kind: 'trouble'; readonly run: RunId; readonly why: string }
  /** What of the run's log on disk is lost, in sentences; none when all of it could be read. */
  | { readonly kind: 'damaged'; readonly run: RunId; readonly faults: readonly string[] }
