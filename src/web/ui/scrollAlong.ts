import type { WheelEvent } from 'react'

/** A wheel that turns up and down moves a strip to the left and to the right. */
export function scrollAlong({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>): void {
  if (Math.abs(deltaY) > Math.abs(deltaX)) currentTarget.scrollLeft += deltaY
}
