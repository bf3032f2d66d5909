/**
 * The picture of a terminal that sleeps, drawn by the daemon as SVG and sized as the drawing was. stillUrl.ts says which picture.
 */
import { useEffect, useState } from 'react'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import { useAppearance, useParts } from '../../hooks/parts.ts'
import { baselineOf, fontBoxOf } from '../draw/cell.ts'
import './still.css'
import { authorization } from '../../device/bearer.ts'
import { stillUrl } from './stillUrl.ts'

type Props = {
  readonly terminal: string
  readonly checkpoint?: string
  /** The run whose last screen it is. */
  readonly run: string
  /** The terminal's own scheme. */
  readonly theme: string | null
  readonly size: Size
  /** For screen readers. */
  readonly label?: string
  readonly onShown?: () => void
  /** What stands there instead where there is no picture. */
  readonly missing?: string
}

/** The last screen of a terminal as an image, as its drawing would look. It fills its place from the top left, smaller where it must. */
export function Still({ terminal, checkpoint, run, theme, size, label = '', onShown, missing = 'Its output was not kept.' }: Props) {
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

/** `null`: there is none. The one before stays until another is there. */
function useStill(address: string): string | null | undefined {
  const [picture, setPicture] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    let isCurrent = true
    void fetchStill(address).then((found) => isCurrent && setPicture(found))
    return () => {
      isCurrent = false
    }
  }, [address])
  return picture
}

const NOT_AUTHORISED = 401

async function fetchStill(address: string): Promise<string | null> {
  try {
    const headers = { Authorization: await authorization() }
    const reply = await fetch(address, { headers })
    // The link was another one by the time it arrived.
    const answer = reply.status === NOT_AUTHORISED ? await fetch(address, { headers: { Authorization: await authorization() } }) : reply
    return answer.status === 200 ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}` : null
  } catch {
    return null // the daemon is away
  }
}
