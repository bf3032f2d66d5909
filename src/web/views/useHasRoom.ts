import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { hasRoom } from './room.ts'

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
