/**
 * Fingers on a terminal: across changes the terminal, along it scrolls, two that part or meet change the font. Which of
 * these it is shows after the first few millimetres, and stays so until all fingers have left. Pure.
 */
export type Point = { readonly x: number; readonly y: number }
export type Ground = {
  readonly width: number
  /** Nothing scrolls here, so that anything which is rather across is meant so. */
  readonly isBar: boolean
}

export type Gesture =
  | { readonly kind: 'undecided'; readonly from: readonly Point[]; readonly at: number }
  /** How far to the right. */
  | { readonly kind: 'across'; readonly from: readonly Point[]; readonly at: number; readonly by: number }
  /** How much further apart the fingers are than when a step was last taken, as a ratio. */
  | { readonly kind: 'pinch'; readonly apart: number; readonly steps: number }
  | { readonly kind: 'other' }

const DECIDED_PX = 12
const CLEARLY = 2 // times as far across as along, where both have a meaning
const EDGE_PX = 24
const FAR_SHARE = 0.28 // of the width
const FLICK_PX_PER_MS = 0.45
const FLICK_PX = 30
const STEP_RATIO = 1.12 // of a pinch, for one size of the font

export const begun = (touches: readonly Point[], at: number): Gesture =>
  touches.length > 2 ? { kind: 'other' } : { kind: 'undecided', from: touches, at }

export function moved(gesture: Gesture, touches: readonly Point[], ground: Ground): Gesture {
  switch (gesture.kind) {
    case 'undecided':
      return touches.length === gesture.from.length ? decided(gesture, touches, ground) : { kind: 'other' }
    case 'across':
      return { ...gesture, by: middleOf(touches).x - middleOf(gesture.from).x }
    case 'pinch':
      return touches.length === 2 ? pinched(gesture, touches) : gesture
    case 'other':
      return gesture
  }
}

function decided(gesture: Gesture & { readonly kind: 'undecided' }, touches: readonly Point[], ground: Ground): Gesture {
  const { from, at } = gesture
  if (touches.length === 2 && Math.abs(apartOf(touches) - apartOf(from)) > DECIDED_PX) {
    return pinched({ kind: 'pinch', apart: apartOf(from), steps: 0 }, touches)
  }
  const [start, now] = [middleOf(from), middleOf(touches)]
  const [across, along] = [Math.abs(now.x - start.x), Math.abs(now.y - start.y)]
  if (Math.max(across, along) < DECIDED_PX) return gesture
  const isFromEdge = start.x < EDGE_PX || start.x > ground.width - EDGE_PX
  const isMeant = ground.isBar || isFromEdge || touches.length === 2
  return across > along * (isMeant ? 1 : CLEARLY) ? { kind: 'across', from, at, by: now.x - start.x } : { kind: 'other' }
}

/** Sizes of the font to be taken since the last look: more than none where `steps` is not zero. */
function pinched({ apart }: Gesture & { readonly kind: 'pinch' }, touches: readonly Point[]): Gesture {
  const now = Math.max(1, apartOf(touches))
  const steps = Math.trunc(Math.log(now / apart) / Math.log(STEP_RATIO))
  return { kind: 'pinch', apart: apart * STEP_RATIO ** steps, steps }
}

/** To the next terminal, to the one before it, or nowhere: far enough, or fast. */
export function ended(gesture: Gesture, now: number, { width }: Ground): 1 | -1 | 0 {
  if (gesture.kind !== 'across') return 0
  const distance = Math.abs(gesture.by)
  const isFlick = distance >= FLICK_PX && distance / Math.max(1, now - gesture.at) >= FLICK_PX_PER_MS
  if (!isFlick && distance < width * FAR_SHARE) return 0
  return gesture.by < 0 ? 1 : -1
}

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 })
  const count = Math.max(1, points.length)
  return { x: sum.x / count, y: sum.y / count }
}

function apartOf([one, other]: readonly Point[]): number {
  return one === undefined || other === undefined ? 1 : Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
}
