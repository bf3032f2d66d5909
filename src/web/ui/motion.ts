const MOVE_MS = 220

/** How long something takes to move from one place to another; no time for those who want none of that. */
export const motionMs = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS)
