import { useEffect, useState } from 'react'
import type { Size } from '../../workspace/terminal.ts'
import { useAppearance, useParts } from '../parts.ts'
import { baselineOf, fontBoxOf } from './cell.ts'
import './still.css'
import { stillUrl } from './stillUrl.ts'
import { useStill } from './useStill.ts'

type Props = {
  readonly terminal: string
  readonly checkpoint?: string
  /** The run whose last screen it is. */
  readonly run: string
  /** The terminal's own scheme. */
  readonly theme: string | null
  readonly size: Size
  /** For those who cannot see it. */
  readonly label?: string
  readonly onShown?: () => void
  /** What stands there instead where there is no picture. */
  readonly missing?: string
}

/** The last screen of a terminal as an image, as its drawing would look. It fills its place from the top left, smaller where it must. */
export function Still({ terminal, checkpoint, run, theme, size, label = '', onShown, missing = 'Nothing of it was kept.' }: Props) {
  const { tiles } = useParts()
  const appearance = useAppearance(theme)
  const [isDrawn, setDrawn] = useState(false)
  const cell = tiles.cellOf(terminal, appearance, size)
  const source = stillUrl({ terminal, checkpoint, run }, appearance, { cell, baseline: baselineOf(fontBoxOf(appearance), cell) })
  const picture = useStill(source)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it is known that there is none
  useEffect(() => {
    if (picture === null) onShown?.()
  }, [picture])
  const becomeDrawn = () => {
    setDrawn(true)
    onShown?.()
  }
  return (
    // What it covers is seen until it is there.
    <div className="still" data-shown={picture === null || isDrawn} style={{ background: appearance.palette.background }}>
      {picture === null && <p className="stillMissing">{missing}</p>}
      {typeof picture === 'string' && <img src={picture} alt={label} draggable={false} onLoad={becomeDrawn} />}
    </div>
  )
}
