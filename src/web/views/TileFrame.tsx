import { useEffect, useRef } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { useNow, usePageState, useParts, useTileState } from '../parts.ts'
import { TileOverlays } from '../tiles/TileOverlays.tsx'
import { historyWords, sizeNoteOf } from '../words.ts'
import { Rest } from './Rest.tsx'
import { TileHeader } from './TileHeader.tsx'

/** A terminal with its title bar, and what is to be said over it. */
export function TileFrame({ terminal }: { readonly terminal: TerminalView }) {
  const { focused } = usePageState()
  return (
    <section className="tile" data-focused={terminal.id === focused} data-terminal={terminal.id} aria-label={`Terminal ${terminal.id}`}>
      <TileHeader terminal={terminal} />
      <TileBody terminal={terminal} />
    </section>
  )
}

export function TileBody({ terminal }: { readonly terminal: TerminalView }) {
  const { tiles } = useParts()
  const now = useNow()
  const { place, historyNote, background } = useTileState(terminal.id)
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : tiles.mount(terminal.id, host.current)), [tiles, terminal.id])
  const isAsleep = terminal.state === 'asleep'
  const awake = useRef<string | null>(null)
  useEffect(() => {
    if (!isAsleep) awake.current = terminal.id
  }, [terminal, isAsleep])
  const sizeNote = sizeNoteOf(terminal, place)
  return (
    <div className="tileBody">
      <div className="screen" data-asleep={isAsleep} style={{ ['--screen-back' as string]: background || undefined }}>
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
