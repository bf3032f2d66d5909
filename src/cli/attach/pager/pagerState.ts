/** The pager's state, its events and its effects. */
import type { Size } from '../../../workspace/terminal/terminal.ts'
import { endOf, isBefore, type Loaded, lowest, type PageOfLines, type Spot, type View } from './loaded.ts'
import type { PagerKey } from './pagerKeys.ts'
import type { Pattern } from './pattern.ts'

export type Direction = 'up' | 'down'

/** Why lines were asked for, which decides what to do when they come. */
export type Purpose =
  | { readonly kind: 'older' }
  | { readonly kind: 'newer' }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  /** The end again, for new output, and then that many rows down. */
  | { readonly kind: 'refresh'; readonly rows: number }
  | { readonly kind: 'around'; readonly line: number }
  | { readonly kind: 'scan'; readonly scan: Scan }

/** Everything between where the search began and `at` has been looked at. */
export type Scan = { readonly pattern: Pattern; readonly direction: Direction; readonly at: number }

export type PagerState = {
  readonly size: Size
  /** The number of the oldest line, as last heard; `end` is the number after the newest. */
  readonly first: number
  /** The first line of the run; lines above it are of the run before. Possibly only the last one of those is known. */
  readonly own: number
  readonly end: number
  /** False until the first answer of the daemon. */
  readonly answered: boolean
  readonly loaded: Loaded
  readonly top: Spot
  readonly asking: { readonly id: number; readonly purpose: Purpose } | null
  readonly asked: number
  /** Keys pressed while the view waits for lines; handled when those are there. */
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

/** Lines, and what the history was when they were read. */
export type Page = PageOfLines & { readonly first: number; readonly own: number; readonly end: number }

export type PagerEvent =
  | { readonly kind: 'key'; readonly key: PagerKey }
  | { readonly kind: 'resized'; readonly size: Size }
  | ({ readonly kind: 'page'; readonly id: number } & Page)
  | { readonly kind: 'refused'; readonly id: number; readonly why: string }
  | { readonly kind: 'link'; readonly up: boolean }
  | { readonly kind: 'output' }
  | { readonly kind: 'ended'; readonly how: string }

export type Ask = { readonly id: number; readonly before?: number; readonly count: number; readonly format: 'text' | 'ansi' }
type PagerEffect = { readonly kind: 'ask'; readonly ask: Ask } | { readonly kind: 'leave' }
export type Stepped = { readonly state: PagerState; readonly effects: readonly PagerEffect[] }

export const heightOf = ({ size }: PagerState): number => Math.max(1, size.rows - 1)
export const viewOf = (state: PagerState): View => ({ loaded: state.loaded, cols: state.size.cols, height: heightOf(state) })

export const still = (state: PagerState): Stepped => ({ state, effects: [] })

/** No known line is below the view. */
export const isAtEnd = (state: PagerState): boolean => endOf(state.loaded) >= state.end && !isBefore(state.top, lowest(viewOf(state)))

export const numberName = (value: number): string => value.toLocaleString('en').replace('-', '−')

/** People count from 1. Lines of the run before count down from 0, whatever the run itself has lost of its beginning. */
export const lineName = ({ own }: Pick<PagerState, 'own'>, line: number): string => numberName(line < own ? line - own + 1 : line + 1)
