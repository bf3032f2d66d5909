/** What the pager knows, what happens to it, and what it wants done. */
import type { Size } from '../../../workspace/terminal.ts'
import { endOf, type Loaded, type PageOfLines } from './loaded.ts'
import type { PagerKey } from './pagerKeys.ts'
import type { Pattern } from './pattern.ts'
import { isBefore, lowest, type Spot, type View } from './spot.ts'

export type Direction = 'up' | 'down'

/** Why lines were asked for, which is what to do when they come. */
export type Purpose =
  | { readonly kind: 'older' }
  | { readonly kind: 'newer' }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  /** The end again, where new output may stand by now, and then so many rows down. */
  | { readonly kind: 'refresh'; readonly rows: number }
  | { readonly kind: 'around'; readonly line: number }
  | { readonly kind: 'scan'; readonly scan: Scan }

/** Everything between where the search began and `at` has been looked at. */
export type Scan = { readonly pattern: Pattern; readonly direction: Direction; readonly at: number }

export type PagerState = {
  readonly size: Size
  /** The numbers of the oldest line there is and of the one after the last, as last heard. */
  readonly first: number
  /** The first line of the run; those above it are of the run before. One above it, and no other, may be all that is known of them. */
  readonly own: number
  readonly end: number
  /** False until the daemon has told anything of the lines. */
  readonly answered: boolean
  readonly loaded: Loaded
  readonly top: Spot
  readonly asking: { readonly id: number; readonly purpose: Purpose } | null
  readonly asked: number
  /** Keys pressed while the view waits for lines; they mean what they mean once those are there. */
  readonly typedAhead: readonly PagerKey[]
  readonly prompt: { readonly direction: Direction; readonly text: string } | null
  readonly search: { readonly pattern: Pattern; readonly direction: Direction } | null
  /** The line that the last search has found. */
  readonly match: number | null
  readonly notice: string | null
  readonly away: boolean
  /** The program has printed something since the end was last fetched. */
  readonly behind: boolean
  /** Null while the program runs, then how it ended. */
  readonly ended: string | null
}

export type PagerEvent =
  | { readonly kind: 'key'; readonly key: PagerKey }
  | { readonly kind: 'resized'; readonly size: Size }
  | ({ readonly kind: 'page'; readonly id: number; readonly first: number; readonly own: number; readonly end: number } & PageOfLines)
  | { readonly kind: 'refused'; readonly id: number; readonly why: string }
  | { readonly kind: 'link'; readonly up: boolean }
  | { readonly kind: 'output' }
  | { readonly kind: 'ended'; readonly how: string }

export type Ask = { readonly id: number; readonly before?: number; readonly count: number; readonly format: 'text' | 'ansi' }
export type PagerEffect = { readonly kind: 'ask'; readonly ask: Ask } | { readonly kind: 'leave' }
export type Stepped = { readonly state: PagerState; readonly effects: readonly PagerEffect[] }

export const heightOf = ({ size }: PagerState): number => Math.max(1, size.rows - 1)
export const viewOf = (state: PagerState): View => ({ loaded: state.loaded, cols: state.size.cols, height: heightOf(state) })

export const still = (state: PagerState): Stepped => ({ state, effects: [] })

/** Nothing that is known of is below the view. */
export const isAtEnd = (state: PagerState): boolean => endOf(state.loaded) >= state.end && !isBefore(state.top, lowest(viewOf(state)))

export const numberName = (value: number): string => value.toLocaleString('en').replace('-', '−')

/** People count from 1. Lines of the run before count down from 0, whatever the run itself has lost of its beginning. */
export const lineName = ({ own }: Pick<PagerState, 'own'>, line: number): string => numberName(line < own ? line - own + 1 : line + 1)
