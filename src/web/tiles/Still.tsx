import { useEffect, useState } from 'react'
import type { Size } from '../../workspace/terminal.ts'
import { useAppearance, useParts } from '../parts.ts'
import { baselineOf, fontBoxOf } from './cell.ts'
import './still.css'
import { stillUrl } from './stillUrl.ts'

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
  const [state, setState] = useState<'loading' | 'shown' | 'missing'>('loading')
  const cell = tiles.cellOf(terminal, appearance, size)
  const source = stillUrl({ terminal, checkpoint, run }, appearance, { cell, baseline: baselineOf(fontBoxOf(appearance), cell) })
  // A picture that could not be had may be there under another address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: that is what it is for
  useEffect(() => setState((before) => (before === 'missing' ? 'loading' : before)), [source])
  const become = (now: 'shown' | 'missing') => {
    setState(now)
    onShown?.()
  }
  return (
    // What it covers is seen until it is there.
    <div className="still" data-shown={state !== 'loading'} style={{ background: appearance.palette.background }}>
      {state === 'missing' ? (
        <p className="stillMissing">{missing}</p>
      ) : (
        <img src={source} alt={label} draggable={false} onLoad={() => become('shown')} onError={() => become('missing')} />
      )}
    </div>
  )
}
