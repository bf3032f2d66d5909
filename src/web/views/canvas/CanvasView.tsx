/**
 * Terminals on an endless plane. flow.tsx is the only file that knows the library for it; the geometry is in layout/canvasGeometry.ts.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { WorkspaceView } from '../../../wire/topologyView.ts'
import type { TerminalView } from '../../../wire/view.ts'
import type { Point, Rect } from '../../../workspace/layout/canvas.ts'
import { OfTerminal, terminalIn, useMay, useNow, usePage, useParts } from '../../hooks/parts.ts'
import { type Held, placeOf, snapped } from '../../layout/canvasGeometry.ts'
import { offerCanvas } from '../../layout/openCanvas.ts'
import { type Mark, nameOf } from '../../state/words.ts'
import { stateOf } from '../tile/headerWords.ts'
import { TileCard } from '../tile/TileCard.tsx'
import { TileFrame, Zoomed } from '../tile/TileFrame.tsx'
import { tileDrag } from '../tile/tileDrag.ts'
import { CanvasControls } from './CanvasControls.tsx'
import { Flow, type FlowHandle } from './flow.tsx'
import { keepViewport, keptViewport } from './viewportKeep.ts'
import '../split/split.css'
import './canvas.css'

const MARK_COLORS: Readonly<Record<Mark, string>> = {
  live: 'var(--good)',
  turning: 'var(--accent)',
  idle: 'var(--muted)',
  done: 'var(--accent)',
  asleep: 'var(--edge)',
  ended: 'var(--edge)',
  bad: 'var(--bad)',
  warning: 'var(--warn)',
}

/** The terminals of a workspace where the user put them, on a plane without an end. */
export function CanvasView({ workspace }: { readonly workspace: WorkspaceView }) {
  const alone = usePage((state) => terminalIn(state, workspace.layout.zoomed)?.id ?? null)
  if (alone === null) return <Plane key={workspace.id} workspace={workspace} />
  return (
    <div className="splitView">
      <Zoomed terminal={alone} />
    </div>
  )
}

function Plane({ workspace }: { readonly workspace: WorkspaceView }) {
  const may = useMay()
  const now = useNow()
  const { held, drag, place } = useHeld(workspace)
  const flow = useRef<FlowHandle>(null)
  const [viewport] = useState(() => keptViewport(localStorage, workspace.id))
  useEffect(
    () =>
      offerCanvas({
        zoomBy: (factor) => flow.current?.zoomBy(factor),
        fit: () => flow.current?.fit(),
        actualSize: () => flow.current?.actualSize(),
      }),
    [],
  )
  const { focused, tiles } = usePage((state) => ({
    focused: state.focused,
    tiles: Object.entries(workspace.canvas).flatMap(([id, rect]) => {
      const terminal = terminalIn(state, id)
      return terminal === null ? [] : [tileOf(terminal, { rect: placeOf(rect, held[id]), isFocused: id === state.focused, now })]
    }),
  }))
  const { onPointerDownCapture } = useBringIntoView(flow, workspace, focused)
  return (
    <div className="canvasView" onPointerDownCapture={onPointerDownCapture}>
      <Flow
        tiles={tiles}
        viewport={viewport}
        draw={drawTile}
        isFixed={!may('canvas.place')}
        onDragged={drag}
        onPlaced={place}
        onViewport={(seen) => keepViewport(localStorage, workspace.id, seen)}
        handle={flow}
      >
        <CanvasControls />
      </Flow>
    </div>
  )
}

const drawTile = (id: string, isCard: boolean) =>
  isCard ? <OfTerminal id={id}>{(terminal) => <TileCard terminal={terminal} />}</OfTerminal> : <TileFrame terminal={id} grip="canvas" />

function tileOf(
  terminal: TerminalView,
  { rect, isFocused, now }: { readonly rect: Rect; readonly isFocused: boolean; readonly now: number },
) {
  return { id: terminal.id, rect, isFocused, color: MARK_COLORS[stateOf(terminal, now).mark], name: nameOf(terminal) }
}

/** What is under the user's hand, or waits for the daemon's word. */
function useHeld({ canvas }: WorkspaceView) {
  const { page } = useParts()
  const [held, setHeld] = useState<Readonly<Record<string, Held>>>({})
  const now = useRef({ canvas, held })
  now.current = { canvas, held }
  const isFree = useAltKey()
  const drag = useCallback(
    (id: string, rect: Rect, at: Point | null) => {
      const before = now.current.canvas[id]
      if (before === undefined) return
      const next = isFree.current ? rect : snapped(before, rect)
      setHeld((all) => ({ ...all, [id]: { rect: next, before, isDragged: true } }))
      if (at !== null) tileDrag.over(id, at)
    },
    [isFree],
  )
  const place = useCallback(
    async (id: string) => {
      const { canvas: known, held: all } = now.current
      const own = all[id]
      const drop = () => setHeld(({ [id]: _, ...others }) => others)
      if (tileDrag.drop(page)) return drop()
      if (own === undefined || !own.isDragged) return
      setHeld((others) => ({ ...others, [id]: { ...own, before: known[id] ?? own.before, isDragged: false } }))
      const answer = await page.command('canvas.place', { terminal: id, rect: own.rect })
      if (answer === null) drop()
    },
    [page],
  )
  return { held, drag, place }
}

/** While it is held down, tiles go where they are put. */
function useAltKey() {
  const isHeld = useRef(false)
  useEffect(() => {
    const look = (event: PointerEvent | KeyboardEvent) => {
      isHeld.current = event.altKey
    }
    const events = ['pointermove', 'keydown', 'keyup'] as const
    for (const name of events) window.addEventListener(name, look, true)
    return () => {
      for (const name of events) window.removeEventListener(name, look, true)
    }
  }, [])
  return isHeld
}

/** A terminal that was chosen elsewhere is shown; one that was clicked stays under the pointer. */
function useBringIntoView(flow: { readonly current: FlowHandle | null }, { canvas }: WorkspaceView, focused: string | null) {
  const clicked = useRef<string | null>(null)
  const seen = useRef<string | null>(null)
  const rect = focused === null ? undefined : canvas[focused]
  useEffect(() => {
    if (focused === null || rect === undefined || seen.current === focused) return
    const isFirst = seen.current === null
    seen.current = focused
    if (!isFirst && clicked.current !== focused) flow.current?.bringIntoView(rect)
    clicked.current = null
  }, [flow, focused, rect])
  return useMemo(
    () => ({
      onPointerDownCapture: (event: { readonly target: EventTarget }) => {
        clicked.current =
          event.target instanceof Element ? (event.target.closest('[data-terminal]')?.getAttribute('data-terminal') ?? null) : null
      },
    }),
    [],
  )
}
