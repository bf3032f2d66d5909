import { useEffect, useRef, useState } from 'react'
import { usePageState, useParts } from '../parts.ts'
import { TileBody } from '../views/TileBody.tsx'
import { hearGestures } from './gestures.ts'
import { PhoneBar } from './PhoneBar.tsx'
import './phone.css'

/** One terminal at a time: a swipe goes to its neighbours in the dock. */
export function PhoneView() {
  const { page, tiles } = useParts()
  const { focused } = usePageState()
  const [from, setFrom] = useState<'left' | 'right' | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const terminal = page.mirror.terminal(focused)
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
          <div className="phoneTerminal" key={terminal.id} data-from={from}>
            <TileBody terminal={terminal} />
          </div>
        )}
      </div>
    </div>
  )
}
