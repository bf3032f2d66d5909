/**
 * How much history the drawing holds, when it wants more, and what is said about it. Pure: a drawing of all lines would
 * take hundreds of megabytes, so it grows in steps while the user scrolls up, and is small again afterwards.
 */
import type { HistoryNote } from '../../state/words.ts'

export type Depth = {
  /** Rows above the screen that were asked for. */
  readonly history: number
  /** The numbers of the oldest line there is and of the oldest one in the drawing; null where nothing has run. */
  readonly lines: LinesDrawn | null
  /** The drawing has let go of its oldest rows since. */
  readonly isCut: boolean
  /** What has been asked for and is not here yet. */
  readonly asking: number | null
}

/** `first` is the run's first line that is still there, `oldest` the oldest of all: below 0 it is of the run before. */
type LinesDrawn = { readonly first: number; readonly from: number; readonly oldest?: number | undefined }

const oldestOf = ({ first, oldest = first }: LinesDrawn): number => oldest

/** What is seen of the drawing, in rows. */
export type View = {
  readonly above: number
  readonly below: number
  readonly rows: number
  /** The alternate screen has no history. */
  readonly isAlternate: boolean
  /** It holds as many rows as it may, so that each new one costs the oldest. */
  readonly isFull: boolean
}

/** A thousand rows take about 3.3 MB in the page. */
const DEPTHS = [1_000, 6_000, 20_000, 50_000] as const
export const USUAL_DEPTH = DEPTHS[0]
/** What is drawn of one that floods, again and again. */
export const FLOODED_DEPTH = 100
/** Rows that a program may print while older ones are read, before these are let go. */
export const ROOM_ROWS = 4_000
/** Lines drawn by default: about 16 MB when full. */
export const HELD_ROWS = USUAL_DEPTH + ROOM_ROWS
/** Older lines are asked for this long before they are reached. */
const NEAR_SCREENS = 3

export const UNKNOWN_DEPTH: Depth = { history: USUAL_DEPTH, lines: null, isCut: false, asking: null }

/** Up to 165 MB, or 66 MB on a machine that has little memory; browsers tell in gigabytes, or not at all. */
export const deepestFor = (memoryGb: number | undefined): number => (memoryGb !== undefined && memoryGb < 4 ? DEPTHS[2] : DEPTHS[3])

const hasMore = ({ lines, isCut }: Depth, view: View): boolean => lines !== null && (lines.from > oldestOf(lines) || isCut || view.isFull)

function nextDepth({ history }: Depth, { above, below }: View, deepest: number): number | null {
  return DEPTHS.find((depth) => depth > Math.max(history, above + below) && depth <= deepest) ?? null
}

/** The depth to ask for when older lines are wanted; null: there are no more, or the page cannot hold more. */
export const deeperDepth = (depth: Depth, view: View, deepest: number): number | null =>
  view.isAlternate || !hasMore(depth, view) ? null : nextDepth(depth, view, deepest)

/** The depth to ask for now; null: nothing is to be done. */
export function wantedDepth(depth: Depth, view: View, deepest: number): number | null {
  if (depth.asking !== null || view.isAlternate || view.below === 0 || !hasMore(depth, view)) return null
  return view.above > view.rows * NEAR_SCREENS ? null : nextDepth(depth, view, deepest)
}

/** What to say at the top; null: nothing. */
export function noteFor(depth: Depth, view: View, deepest: number): HistoryNote | null {
  if (view.isAlternate || view.below === 0 || view.above > 0 || depth.lines === null) return null
  if (depth.asking !== null || wantedDepth(depth, view, deepest) !== null) return 'fetching'
  if (hasMore(depth, view)) return 'deepest'
  return depth.lines.first > 0 && depth.lines.from >= 0 ? 'gone' : 'beginning'
}

/** The program has erased what was above its screen. What stood before its run was not its own, and can be had again. */
export const erasedDepth = (depth: Depth): Depth =>
  depth.lines === null || oldestOf(depth.lines) >= 0 ? depth : { ...depth, history: 0, isCut: true }
