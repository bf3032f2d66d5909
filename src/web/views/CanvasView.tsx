import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { WorkspaceView } from '../../wire/topologyView.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Point, Rect } from '../../workspace/canvas.ts'
import { useMay, useNow, usePageState, useParts } from '../parts.ts'
import { type Mark, nameOf } from '../words.ts'
import { CanvasControls } from './CanvasControls.tsx'
import { type Held, placeOf, snapped } from './canvasGeometry.ts'
import { Flow, type FlowHandle } from './flow.tsx'
import { stateOf } from './headerWords.ts'
import { offerCanvas } from './openCanvas.ts'
import { TileCard } from './TileCard.tsx'
import { TileFrame } from './TileFrame.tsx'
import { tileDrag } from './tileDrag.ts'
import { keepViewport, keptViewport } from './viewportKeep.ts'
import { Zoomed } from './Zoomed.tsx'
import './split.css'
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
  const { page } = useParts()
  const alone = page.mirror.terminal(workspace.layout.zoomed)
  if (alone === null) return <Plane key={workspace.id} workspace={workspace} />
  return (
    <div className="splitView">
      <Zoomed terminal={alone} />
    </div>
  )
}

function Plane({ workspace }: { readonly workspace: WorkspaceView }) {
  const { page } = useParts()
  const { focused } = usePageState()
  const may = useMay()
  const now = useNow()
  const { held, drag, place } = useHeld(workspace)
  const flow = useRef<FlowHandle>(null)
  const [viewport] = useState(() => keptViewport(localStorage, workspace.id))
  const draw = useCallback(
    (id: string, isCard: boolean) => {
      const terminal = page.mirror.terminal(id)
      if (terminal === null) return null
      return isCard ? <TileCard terminal={terminal} /> : <TileFrame terminal={terminal} grip="canvas" />
    },
    [page],
  )
  useEffect(
    () =>
      offerCanvas({
        zoomBy: (factor) => flow.current?.zoomBy(factor),
        fit: () => flow.current?.fit(),
        actualSize: () => flow.current?.actualSize(),
      }),
    [],
  )
  const { onPointerDownCapture } = useBringIntoView(flow, workspace, focused)
  const tiles = Object.entries(workspace.canvas).flatMap(([id, rect]) => {
    const terminal = page.mirror.terminal(id)
    return terminal === null ? [] : [tileOf(terminal, { rect: placeOf(rect, held[id]), isFocused: id === focused, now })]
  })
  return (
    <div className="canvasView" onPointerDownCapture={onPointerDownCapture}>
      <Flow
        tiles={tiles}
        viewport={viewport}
        draw={draw}
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
