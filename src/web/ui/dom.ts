import type { MouseEvent, WheelEvent } from 'react'

const MOVE_MS = 220

/** How long something takes to move from one place to another; no time for those who want none of that. */
export const motionMs = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS)

/** For what is clicked and dragged beside a program: the program keeps the keyboard. Fields take it as ever. */
export function keepKeyboard(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
}

/** A wheel that turns up and down moves a strip to the left and to the right. */
export function scrollAlong({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>): void {
  if (Math.abs(deltaY) > Math.abs(deltaX)) currentTarget.scrollLeft += deltaY
}
