import { useEffect, useRef } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { usePageState, useParts, useTileState } from '../parts.ts'
import { nameOf, sizeNoteOf } from '../words.ts'
import { SmallTile } from './SmallTile.tsx'
import { TileBody } from './TileBody.tsx'
import { TileHeader } from './TileHeader.tsx'
import './tile.css'
import { useHasRoom } from './useHasRoom.ts'

type Props = {
  readonly terminal: TerminalView
  /** All that share its slot, in order; one alone is no tab. */
  readonly tabs?: readonly TerminalView[]
  /** Who moves it when its title bar is dragged. */
  readonly grip?: 'dock' | 'canvas'
}

/**
 * A terminal that nobody sizes gets the size of its tile, however narrow that is: the user has put it there. Once for each
 * size of the tile: who sized it and is only away for a moment, with the daemon, finds everything as it was.
 */
function useOwnSize(terminal: TerminalView): void {
  const { tiles } = useParts()
  const { place } = useTileState(terminal.id)
  const decidedFor = useRef<string | null>(null)
  useEffect(() => {
    if (place.size === null || place.client === null || decidedFor.current === JSON.stringify(place.size)) return
    decidedFor.current = JSON.stringify(place.size)
    if (terminal.sizedBy.kind === 'nobody' && sizeNoteOf(terminal, place) !== null) tiles.get(terminal.id)?.lead()
  }, [tiles, terminal, place])
}

/** A terminal with its title bar, and what is to be said over it. */
export function TileFrame({ terminal, tabs = [], grip = 'dock' }: Props) {
  const { focused } = usePageState()
  const { place, isRoomy } = useHasRoom<HTMLElement>()
  useOwnSize(terminal)
  return (
    <section className="tile" ref={place} data-focused={terminal.id === focused} data-terminal={terminal.id} aria-label={nameOf(terminal)}>
      {isRoomy === false && <SmallTile terminal={terminal} />}
      {isRoomy === true && <TileHeader terminal={terminal} tabs={tabs} grip={grip} />}
      {isRoomy === true && <TileBody key={terminal.id} terminal={terminal} />}
    </section>
  )
}
