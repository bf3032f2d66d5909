/** Hears fingers on an element of the page, and says what they mean. What is meant for the page never reaches the terminal. */

import { type RefObject, useEffect, useRef } from 'react'
import { useParts } from '../hooks/parts.ts'
import { begun, ended, type Gesture, moved, type Point } from './swipe.ts'

export type GestureOptions = {
  readonly isBar: boolean
  /** What goes across; left out: that is none of ours. */
  readonly across?: {
    /** How far a finger is; null: it has let go. */
    onDrag(by: number | null): void
    onStep(step: 1 | -1): void
  }
  readonly onPinch: (steps: number) => void
}

/** What is returned stops it. */
export function hearGestures(element: HTMLElement, { isBar, across, onPinch }: GestureOptions): () => void {
  const leaving = new AbortController()
  let gesture: Gesture = { kind: 'other' }
  const ground = () => ({ width: element.clientWidth, isBar })
  const isOurs = () => gesture.kind === 'pinch' || (gesture.kind === 'across' && across !== undefined)
  const start = (event: TouchEvent): void => {
    if (!isOurs()) gesture = begun(pointsOf(event), event.timeStamp)
  }
  const follow = (event: TouchEvent): void => {
    gesture = moved(gesture, pointsOf(event), ground())
    if (!isOurs()) return
    event.stopPropagation()
    if (event.cancelable) event.preventDefault()
    if (gesture.kind === 'across') across?.onDrag(gesture.by)
    if (gesture.kind === 'pinch' && gesture.steps !== 0) onPinch(gesture.steps)
  }
  const end = (event: TouchEvent): void => {
    if (!isOurs()) return
    event.stopPropagation()
    if (event.touches.length > 0) return
    const step = event.type === 'touchcancel' ? 0 : ended(gesture, event.timeStamp, ground())
    gesture = { kind: 'other' }
    across?.onDrag(null)
    if (step !== 0) across?.onStep(step)
  }
  const how = { signal: leaving.signal, capture: true, passive: false } as const
  element.addEventListener('touchstart', start, { ...how, passive: true })
  element.addEventListener('touchmove', follow, how)
  element.addEventListener('touchend', end, how)
  element.addEventListener('touchcancel', end, how)
  return () => leaving.abort()
}

const pointsOf = ({ touches }: TouchEvent): readonly Point[] => Array.from(touches, ({ clientX, clientY }) => ({ x: clientX, y: clientY }))

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
