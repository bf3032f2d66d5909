import type { KeyboardEvent, PointerEvent } from 'react'
import { boundWidth, DOCK_PIXELS, DOCK_WIDTH } from '../state/dockShape.ts'
import { useRemembered } from '../state/remembered.ts'

const KEY_STEP = 16 // px

/** The border that makes the dock wider or narrower. */
export function DockEdge() {
  const width = useRemembered(DOCK_PIXELS)
  const set = (pixels: number) => DOCK_PIXELS.set(boundWidth(pixels))
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) set(event.clientX)
  }
  const takeKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    set(width + (event.key === 'ArrowLeft' ? -KEY_STEP : KEY_STEP))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged
    <div
      className="dockEdge"
      role="separator"
      aria-label="Width of the dock"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={DOCK_WIDTH.min}
      aria-valuemax={DOCK_WIDTH.max}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={takeKey}
      onDoubleClick={() => set(DOCK_WIDTH.usual)}
    />
  )
}
