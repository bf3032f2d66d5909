import { useEffect, useLayoutEffect, useRef } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { useNow, usePageState, useParts, useTileState } from '../parts.ts'
import { TileOverlays } from '../tiles/TileOverlays.tsx'
import { historyWords, nameOf, sizeNoteOf } from '../words.ts'
import { Rest } from './Rest.tsx'
import { TileHeader } from './TileHeader.tsx'
import './tile.css'

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
  useOwnSize(terminal)
  return (
    <section className="tile" data-focused={terminal.id === focused} data-terminal={terminal.id} aria-label={nameOf(terminal)}>
      <TileHeader terminal={terminal} tabs={tabs} grip={grip} />
      <TileBody key={terminal.id} terminal={terminal} />
    </section>
  )
}

export function TileBody({ terminal }: { readonly terminal: TerminalView }) {
  const { page, tiles } = useParts()
  const now = useNow()
  const { place, historyNote, background } = useTileState(terminal.id)
  const host = useRef<HTMLDivElement>(null)
  // Before anything is painted: a tile that goes from one place to another is never missing.
  useLayoutEffect(() => {
    if (host.current === null) return undefined
    const unmount = tiles.mount(terminal.id, host.current)
    // An element that is put elsewhere loses the keyboard.
    if (page.state.focused === terminal.id && document.activeElement === document.body) tiles.focus()
    return unmount
  }, [page, tiles, terminal.id])
  const isAsleep = terminal.state === 'asleep'
  const awake = useRef<string | null>(null)
  useEffect(() => {
    if (!isAsleep) awake.current = terminal.id
  }, [terminal, isAsleep])
  const sizeNote = sizeNoteOf(terminal, place)
  return (
    // On the canvas the wheel and the mouse are the program's, not the plane's.
    <div className="tileBody nowheel nodrag nopan">
      <div
        className="screen"
        data-asleep={isAsleep}
        data-framed={sizeNote !== null}
        style={{ ['--screen-back' as string]: background || undefined }}
      >
        <p className="historyNote" role="status" data-shown={historyNote !== null}>
          {historyNote !== null && historyWords(historyNote)}
        </p>
        <div className="hostPlace" ref={host} />
        {sizeNote !== null && (
          <p className="sizeNote" role="status">
            <span>{sizeNote.text}</span>
            {sizeNote.canLead && (
              <button type="button" onClick={() => tiles.get(terminal.id)?.lead()}>
                Fit it here
              </button>
            )}
          </p>
        )}
      </div>
      <TileOverlays id={terminal.id} />
      {isAsleep && <Rest key={terminal.id} terminal={terminal} now={now} hasJustEnded={awake.current === terminal.id} />}
      {terminal.trouble && <p className="rest">{terminal.trouble}</p>}
    </div>
  )
}
