/**
 * The page on a phone: one terminal at a time, with a bar, a sheet and the keys that phones lack. swipe.ts and stickyKeys.ts decide
 * (pure); gestures.ts and softKeyboard.ts listen. Tiles and the dock are those of every other screen.
 */
import { useEffect, useRef, useState } from 'react'
import { terminalIn, usePage, useParts } from '../hooks/parts.ts'
import { TileBody } from '../views/tile/TileBody.tsx'
import { hearGestures } from './gestures.ts'
import { PhoneBar } from './PhoneBar.tsx'
import './phone.css'

/** One terminal at a time: a swipe goes to its neighbours in the dock. */
export function PhoneView() {
  const { page, tiles } = useParts()
  const terminal = usePage((state) => terminalIn(state, state.focused)?.id ?? null)
  const [from, setFrom] = useState<'left' | 'right' | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const drag = (by: number | null) => {
      if (body.current !== null) body.current.style.translate = by === null ? '' : `${by}px`
    }
    const step = (by: 1 | -1) => {
      setFrom(by === 1 ? 'right' : 'left')
      page.focusBeside(by)
    }
    const options = { across: { onDrag: drag, onStep: step }, onPinch: (steps: number) => tiles.changeFont(steps) }
    const stops = [
      bar.current === null ? undefined : hearGestures(bar.current, { ...options, isBar: true }),
      body.current === null ? undefined : hearGestures(body.current, { ...options, isBar: false }),
    ]
    return () => {
      for (const stop of stops) stop?.()
    }
  }, [page, tiles])
  return (
    <div className="phone">
      <PhoneBar ref={bar} terminal={terminal} />
      <div className="phoneBody" ref={body}>
        {terminal !== null && (
          <div className="phoneTerminal" key={terminal} data-from={from}>
            <TileBody terminal={terminal} />
          </div>
        )}
      </div>
    </div>
  )
}
