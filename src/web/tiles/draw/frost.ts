/**
 * How a terminal's drawing becomes a still picture and back. The picture is laid over the drawing before that goes, and stays
 * until the next program has painted something: at no moment there is nothing, and nothing jumps. Pure.
 */
import type { TerminalView } from '../../../wire/view.ts'

export type Frost =
  /** Only the drawing. */
  | 'none'
  /** The drawing, and over it the picture as soon as it is there. */
  | 'covering'
  /** Only the picture. */
  | 'covered'
  /** A program has started under the picture. */
  | 'lifting'
  /** It has painted: the picture fades away. */
  | 'clearing'

export type FrostEvent = 'changed' | 'pictureShown' | 'painted' | 'cleared'

/** Whether the terminal has no program whose output could be drawn. */
export const isAtRest = ({ state }: Pick<TerminalView, 'state'>): boolean => state === 'asleep' || state === 'waking'

export function frostAtFirst(terminal: Pick<TerminalView, 'state' | 'wakePhase'>): Frost {
  if (isAtRest(terminal)) return 'covered'
  return terminal.wakePhase === 'resuming' ? 'lifting' : 'none'
}

export function nextFrost(frost: Frost, event: FrostEvent, atRest: boolean): Frost {
  switch (frost) {
    case 'none':
      return atRest ? 'covering' : 'none'
    case 'covering':
      if (!atRest) return 'none'
      return event === 'pictureShown' ? 'covered' : 'covering'
    case 'covered':
      return atRest ? 'covered' : 'lifting'
    case 'lifting':
      if (atRest) return 'covered' // it ended before it showed anything
      return event === 'painted' ? 'clearing' : 'lifting'
    case 'clearing':
      if (atRest) return 'covering'
      return event === 'cleared' ? 'none' : 'clearing'
  }
}
