import { type TouchEvent, useEffect, useLayoutEffect, useReducer, useRef, type WheelEvent } from 'react'
import type { TerminalView } from '../../../wire/view.ts'
import { TroubleNote } from '../../health/TileTrouble.tsx'
import { OfTerminal, terminalIn, useAppearance, useMay, useNow, usePage, useParts, useReading, useTile } from '../../hooks/parts.ts'
import { historyWords, nameOf, sizeNoteOf } from '../../state/words.ts'
import { type Frost, type FrostEvent, frostAtFirst, isAtRest, nextFrost } from '../../tiles/draw/frost.ts'
import { Still } from '../../tiles/still/Still.tsx'
import { motionMs } from '../../ui/dom.ts'
import { Rest } from './Rest.tsx'
import { SleepTip } from './SleepTip.tsx'
import { TileOverlays } from './TileOverlays.tsx'

/** A program that shows nothing at all is shown doing so after this time. While it is being resumed, the daemon says how long that may take. */
const PAINTED_WITHIN_MS = 4_000
const LOOK_EVERY_MS = 50

/** What of a terminal decides how its body is drawn. Its title, name, agent and directory do not. */
type Body = Pick<TerminalView, 'id' | 'state' | 'wakePhase' | 'run' | 'size' | 'sizedBy' | 'theme'>

function bodyOf(terminal: TerminalView | null): Body | null {
  if (terminal === null) return null
  const { id, state, wakePhase, run, size, sizedBy, theme } = terminal
  return { id, state, wakePhase, run, size, sizedBy, theme }
}

export function TileBody({ terminal }: { readonly terminal: string }) {
  const body = usePage((state) => bodyOf(terminalIn(state, terminal)))
  return body === null ? null : <BodyOf terminal={body} />
}

function BodyOf({ terminal }: { readonly terminal: Body }) {
  const { tiles } = useParts()
  const now = useNow()
  const isReading = useReading() === terminal.id
  const { frost, tell } = useFrost(terminal)
  const { place, historyNote } = useTile(terminal.id, ({ place, historyNote }) => ({ place, historyNote }))
  const { background } = useAppearance(terminal.theme).palette
  const hasDrawing = frost !== 'covered' || isReading
  const hasJustEnded = useHasJustEnded(terminal)
  const run = useRunAtRest(terminal)
  const may = useMay()
  const sizeNote = sizeNoteOf(terminal, place)
  return (
    // On the canvas the wheel and the mouse are the program's, not the plane's.
    <div className="tileBody nowheel nodrag nopan">
      <div
        className="screen"
        data-asleep={isAtRest(terminal)}
        data-framed={sizeNote !== null}
        style={{ ['--screen-back' as string]: background }}
      >
        <p className="historyNote" role="status" data-shown={historyNote !== null}>
          {historyNote !== null && historyWords(historyNote)}
        </p>
        <div className="drawing" data-reading={isReading && isAtRest(terminal)} {...useWishToRead(terminal.id)}>
          {hasDrawing && <Drawing terminal={terminal.id} />}
          {frost !== 'none' && !isReading && (
            <div className="frost" data-frost={frost}>
              <OfTerminal id={terminal.id}>
                {(known) => <LastScreen terminal={known} run={run} onShown={() => setTimeout(() => tell('pictureShown'), motionMs())} />}
              </OfTerminal>
            </div>
          )}
        </div>
        {sizeNote !== null && may('terminal.look') && (
          <p className="sizeNote" role="status">
            <span>{sizeNote.text}</span>
            {sizeNote.canLead && (
              <button type="button" onClick={() => tiles.get(terminal.id)?.lead()}>
                Fit to this window
              </button>
            )}
          </p>
        )}
      </div>
      <TileOverlays id={terminal.id} />
      {(isAtRest(terminal) || frost === 'lifting') && (
        <OfTerminal id={terminal.id}>
          {(known) => <Rest key={known.id} terminal={known} now={now} isReading={isReading} hasJustEnded={hasJustEnded} />}
        </OfTerminal>
      )}
      {may('terminal.sleep') && <SleepTip terminal={terminal.id} now={now} />}
      <TroubleNote terminal={terminal.id} />
    </div>
  )
}

type LastScreenProps = { readonly terminal: TerminalView; readonly run: string; readonly onShown: () => void }

function LastScreen({ terminal, run, onShown }: LastScreenProps) {
  return (
    <Still
      terminal={terminal.id}
      run={run}
      theme={terminal.theme}
      size={terminal.size}
      label={`The last screen of ${nameOf(terminal)}`}
      missing={terminal.private === true ? 'Private: its output was not kept.' : 'No screen was saved.'}
      onShown={onShown}
    />
  )
}

/** The place of a terminal's drawing, which is there as long as this is. */
function Drawing({ terminal }: { readonly terminal: string }) {
  const { page, tiles } = useParts()
  const host = useRef<HTMLDivElement>(null)
  // Before anything is painted: a tile that goes from one place to another is never missing.
  useLayoutEffect(() => {
    if (host.current === null) return undefined
    const unmount = tiles.mount(terminal, host.current)
    // An element that is put elsewhere loses the keyboard.
    if (page.state.focused === terminal && document.activeElement === document.body) tiles.focus()
    return unmount
  }, [page, tiles, terminal])
  return <div className="hostPlace" ref={host} />
}

type Heard = { readonly event: FrostEvent; readonly atRest: boolean }

function useFrost(terminal: Body): { readonly frost: Frost; readonly tell: (event: FrostEvent) => void } {
  const { tiles } = useParts()
  const atRest = isAtRest(terminal)
  const [frost, hear] = useReducer((now: Frost, { event, atRest }: Heard) => nextFrost(now, event, atRest), terminal, frostAtFirst)
  const latest = useRef(atRest)
  latest.current = atRest
  const tell = (event: FrostEvent) => hear({ event, atRest: latest.current })
  useLayoutEffect(() => hear({ event: 'changed', atRest }), [atRest])
  const { id, wakePhase } = terminal
  useEffect(() => {
    if (frost !== 'lifting') return undefined
    const since = performance.now()
    const timer = setInterval(() => {
      const isLate = performance.now() - since > PAINTED_WITHIN_MS
      const hasPainted = (tiles.get(id)?.seen() ?? []).some((row) => row.trim() !== '')
      if (wakePhase === null && (isLate || hasPainted)) hear({ event: 'painted', atRest: latest.current })
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [tiles, id, frost, wakePhase])
  useEffect(() => {
    if (frost !== 'clearing') return undefined
    const timer = setTimeout(() => hear({ event: 'cleared', atRest: latest.current }), motionMs())
    return () => clearTimeout(timer)
  }, [frost])
  return { frost, tell }
}

/** The run whose last screen is shown: while another one starts, it is still the one from before. */
function useRunAtRest({ state, run }: Body): string {
  const shown = useRef(run)
  if (state === 'asleep' || state === 'settling') shown.current = run
  return (state === 'asleep' ? run : shown.current) ?? ''
}

const DRAGGED_PX = 24

/** Scrolling up in the still opens the history above it. */
function useWishToRead(id: string) {
  const { tiles } = useParts()
  const from = useRef<number | null>(null)
  return {
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && tiles.read(id),
    onTouchStart: ({ touches }: TouchEvent) => {
      from.current = touches.length === 1 ? (touches[0]?.clientY ?? null) : null
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      if (from.current !== null && (touches[0]?.clientY ?? 0) - from.current > DRAGGED_PX) tiles.read(id)
    },
  }
}

/** Whether it was awake when this place showed it last. */
function useHasJustEnded({ id, state }: Body): boolean {
  const awake = useRef<string | null>(null)
  useEffect(() => {
    if (state !== 'asleep') awake.current = id
  }, [id, state])
  return awake.current === id
}
