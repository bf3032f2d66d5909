/**
 * The lines of two runs in one row. The daemon numbers those of the run before from -1 down, and a run may have lost its own
 * first ones: between the two there would be numbers without lines. Here the last line of the one is followed by the first of
 * the other.
 */
import type { Outcome } from '../../../wire/commands.ts'
import type { Page } from './pager.ts'
import type { Ask } from './pagerState.ts'

/** As the daemon counts. `own` is the first line of the run. */
export const askedOf = ({ before, ...ask }: Ask, own: number): Ask =>
  before === undefined ? ask : { ...ask, before: before > own ? before : before - own }

export function pageOf({ first: own, oldest = own, from, end, lines }: Outcome<'terminal.history'>): Page {
  const inRow = (number: number): number => (number < 0 ? number + own : number)
  return { first: inRow(oldest), own, from: inRow(from), end, lines }
}
