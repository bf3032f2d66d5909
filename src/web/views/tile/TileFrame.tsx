/**
 * One terminal with its title bar: TileHeader.tsx (name, state, buttons), TileBody.tsx (the drawing, or its picture and choices while it
 * sleeps), TileCard.tsx and SmallTile.tsx where there is no room for it. tiles/ draws; these components offer the place.
 */
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { nameIn, OfTerminal, terminalIn, usePage, useParts, useTile } from '../../hooks/parts.ts'
import { sizeNoteOf } from '../../state/words.ts'
import { SmallTile } from './SmallTile.tsx'
import { TileBody } from './TileBody.tsx'
import { TileHeader } from './TileHeader.tsx'
import './tile.css'
import { useHasRoom } from './room.ts'

type Props = {
  readonly terminal: string
  /** All that share its slot, in order; one alone is no tab. */
  readonly tabs?: readonly string[]
  /** Who moves it when its title bar is dragged. */
  readonly grip?: 'dock' | 'canvas'
}

/**
 * A terminal without a leading client gets the size of its tile, however narrow that is: the user has put it there. Once for each
 * size of the tile: a leader that is away for a moment, such as during a restart of the daemon, finds everything as it was.
 */
function useOwnSize(id: string): void {
  const { tiles } = useParts()
  const place = useTile(id, (state) => state.place)
  const isToFit = usePage((state) => {
    const terminal = terminalIn(state, id)
    return terminal?.sizedBy.kind === 'nobody' && sizeNoteOf(terminal, place) !== null
  })
  const decidedFor = useRef<string | null>(null)
  useEffect(() => {
    if (place.size === null || place.client === null || decidedFor.current === JSON.stringify(place.size)) return
    decidedFor.current = JSON.stringify(place.size)
    if (isToFit) tiles.get(id)?.lead()
  }, [tiles, id, isToFit, place])
}

/** A terminal with its title bar, and what is to be said over it. */
export function TileFrame({ terminal, tabs = [], grip = 'dock' }: Props) {
  const { place, isRoomy } = useHasRoom<HTMLElement>()
  useOwnSize(terminal)
  return (
    <TileBox terminal={terminal} place={place}>
      {isRoomy === false && <OfTerminal id={terminal}>{(known) => <SmallTile terminal={known} />}</OfTerminal>}
      {isRoomy === true && (
        <>
          <OfTerminal id={terminal}>{(known) => <TileHeader terminal={known} tabs={tabs} grip={grip} />}</OfTerminal>
          <TileBody key={terminal} terminal={terminal} />
        </>
      )}
    </TileBox>
  )
}

type BoxProps = { readonly terminal: string; readonly place: RefObject<HTMLElement | null>; readonly children: ReactNode }

/** Apart, because its label is the terminal's name: a new name does not render what is inside. */
function TileBox({ terminal, place, children }: BoxProps) {
  const { isFocused, name } = usePage((state) => ({ isFocused: state.focused === terminal, name: nameIn(state, terminal) }))
  return (
    <section className="tile" ref={place} data-focused={isFocused} data-terminal={terminal} aria-label={name ?? undefined}>
      {children}
    </section>
  )
}

/** One terminal alone in its workspace; its title bar says so, and leads back. */
export function Zoomed({ terminal }: { readonly terminal: string }) {
  return (
    <div className="zoomed">
      <TileFrame key={terminal} terminal={terminal} />
    </div>
  )
}
