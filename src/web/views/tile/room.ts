/** How large a tile must be for its terminal to be drawn in it. Pure. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** A title bar and two rows; a few words wide. */
const LEAST = { width: 90, height: 70 }
/** A border dragged to and fro across that size does not make the tile flicker. */
const SLACK_PX = 8

export function hasRoom({ width, height }: { readonly width: number; readonly height: number }, had: boolean | null): boolean {
  const slack = had === true ? SLACK_PX : 0
  return width >= LEAST.width - slack && height >= LEAST.height - slack
}

/** Whether a terminal could be read in this element; null until it has been measured, which is before anything is painted. */
export function useHasRoom<Of extends HTMLElement>(): { readonly place: RefObject<Of | null>; readonly isRoomy: boolean | null } {
  const place = useRef<Of>(null)
  const [isRoomy, setRoomy] = useState<boolean | null>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const look = () => setRoomy((before) => hasRoom({ width: element.clientWidth, height: element.clientHeight }, before))
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return { place, isRoomy }
}
