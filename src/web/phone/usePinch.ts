import { type RefObject, useEffect, useRef } from 'react'
import { useParts } from '../parts.ts'
import { hearGestures } from './gestures.ts'

/** For the place of several terminals: two fingers on it change their font. What is left out, the place does by itself. */
export function usePinch(isWanted: boolean): RefObject<HTMLDivElement | null> {
  const { tiles } = useParts()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isWanted || place.current === null) return
    return hearGestures(place.current, { isBar: false, onPinch: (steps) => tiles.changeFont(steps) })
  }, [tiles, isWanted])
  return place
}
