/**
 * Which terminals are drawn by the graphics card. A browser gives a page some sixteen contexts and takes the oldest away
 * when it wants more, so there are a few, for those used last. What is in view is never drawn otherwise than it was, because
 * that can be seen: a terminal gets its renderer when it comes into view. Pure.
 */
export type Renderer = 'gl' | 'dom'

export type Seat = {
  readonly renderer: Renderer
  readonly isInView: boolean
  /** Its renderer has been decided since it came into view. */
  readonly isSettled: boolean
  /** When it had the keyboard last. */
  readonly usedAt: number
  /** Its context was lost once: it does not get another one. */
  readonly isBarred: boolean
}

export type Seats = ReadonlyMap<string, Seat>

export const MOST_CONTEXTS = 8

export const NEW_SEAT: Seat = {
  renderer: 'dom',
  isInView: false,
  isSettled: false,
  usedAt: Number.NEGATIVE_INFINITY,
  isBarred: false,
}

/** Gives those that came into view a renderer, the one used last first. */
export function settle(seats: Seats, most: number = MOST_CONTEXTS): Seats {
  const next = new Map(seats)
  const change = (id: string, changes: Partial<Seat>): void => void next.set(id, { ...(next.get(id) ?? NEW_SEAT), ...changes })
  for (const [id, seat] of newest([...seats].filter(([, { isInView, isSettled }]) => isInView && !isSettled))) {
    change(id, { isSettled: true })
    if (seat.renderer === 'gl' || seat.isBarred) continue
    const holders = [...next].filter(([, { renderer }]) => renderer === 'gl')
    const spared = holders.length < most ? null : newest(holders.filter(([, { isInView }]) => !isInView)).at(-1)
    if (spared === undefined) continue
    if (spared !== null) change(spared[0], { renderer: 'dom' })
    change(id, { renderer: 'gl' })
  }
  return next
}

const newest = (seats: readonly (readonly [string, Seat])[]) => seats.toSorted(([, a], [, b]) => byNumber(b.usedAt, a.usedAt))
const byNumber = (a: number, b: number): number => (a === b ? 0 : a - b) // infinity less infinity is no number
