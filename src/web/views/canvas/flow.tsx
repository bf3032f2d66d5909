/** An endless plane with tiles on it that can be dragged, resized, panned and zoomed. The only file that knows the library for it. */
import {
  Background,
  BackgroundVariant,
  MiniMap,
  type Node,
  type NodeChange,
  type NodeProps,
  NodeResizer,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import {
  createContext,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { LARGEST_TILE, type Point, type Rect, SMALLEST_TILE } from '../../../workspace/layout/canvas.ts'
import {
  fitted,
  GRID_PX,
  holds,
  READABLE_ZOOM,
  seenThrough,
  type Viewport,
  wheelFactor,
  ZOOM,
  zoomedAt,
} from '../../layout/canvasGeometry.ts'
import { isSame } from '../../state/isSame.ts'
import { motionMs } from '../../ui/dom.ts'

type FlowTile = {
  readonly id: string
  readonly rect: Rect
  readonly color: string
  readonly isFocused: boolean
  readonly name: string
}

export type FlowHandle = {
  readonly zoomBy: (factor: number) => void
  readonly fit: () => void
  readonly actualSize: () => void
  /** Moves the plane only where the tile cannot be seen whole. */
  readonly bringIntoView: (rect: Rect) => void
}

type Props = {
  readonly tiles: readonly FlowTile[]
  /** What was looked at last; null: all of it. */
  readonly viewport: Viewport | null
  /** What a tile shows; a card where letters would be too small to read. */
  readonly draw: (id: string, isCard: boolean) => ReactNode
  /** Tiles that cannot be moved or resized. */
  readonly isFixed: boolean
  /** A tile under the user's hand. */
  readonly onDragged: (id: string, rect: Rect, at: Point | null) => void
  readonly onPlaced: (id: string) => void
  readonly onViewport: (viewport: Viewport) => void
  readonly handle: Ref<FlowHandle>
  readonly children: ReactNode
}

type TileNode = Node<Record<string, never>, 'tile'>

const Draw = createContext<Pick<Props, 'draw' | 'onPlaced' | 'isFixed'>>({ draw: () => null, onPlaced: () => undefined, isFixed: true })

export function Flow(props: Props) {
  const { draw, onPlaced, tiles, viewport, isFixed } = props
  const plane = useRef<HTMLDivElement>(null)
  // Known before anything is drawn on it: what is not in view is never mounted, not even for a moment.
  const [first, setFirst] = useState(viewport)
  const rects = useRef(tiles.map(({ rect }) => rect))
  useLayoutEffect(() => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = plane.current ?? {}
    setFirst((known) => known ?? fitted(rects.current, { width, height }))
  }, [])
  return (
    <Draw value={useMemo(() => ({ draw, onPlaced, isFixed }), [draw, onPlaced, isFixed])}>
      <div className="plane" ref={plane}>
        {first !== null && (
          <ReactFlowProvider>
            <Plane {...props} viewport={first} plane={plane} />
          </ReactFlowProvider>
        )}
      </div>
    </Draw>
  )
}

type PlaneProps = Props & { readonly viewport: Viewport; readonly plane: { readonly current: HTMLDivElement | null } }

function Plane({ tiles, viewport, plane, isFixed, onDragged, onPlaced, onViewport, handle, children }: PlaneProps) {
  const pointer = useRef<Point | null>(null)
  useFlowHandle(handle, plane)
  useCtrlWheel(plane)
  const nodes = useNodes(tiles)
  const change = (changes: NodeChange<TileNode>[]) => {
    for (const { id, rect } of tiles) {
      const next = changedRect(rect, id, changes)
      if (next !== rect) onDragged(id, next, pointer.current)
    }
  }
  return (
    <ReactFlow
      nodes={nodes}
      edges={NO_EDGES}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onNodeDrag={(event) => {
        pointer.current = 'clientX' in event ? { x: event.clientX, y: event.clientY } : null
      }}
      onNodeDragStop={(_, { id }) => {
        pointer.current = null
        onPlaced(id)
      }}
      onMoveEnd={(_, moved) => onViewport(moved)}
      defaultViewport={viewport}
      minZoom={ZOOM.least}
      maxZoom={ZOOM.most}
      nodeDragThreshold={4}
      panOnDrag={PAN_BUTTONS}
      panOnScroll
      zoomOnScroll={false}
      zoomOnDoubleClick={false}
      onlyRenderVisibleElements
      elementsSelectable={false}
      nodesDraggable={!isFixed}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      zoomActivationKeyCode={null}
      disableKeyboardA11y
      elevateNodesOnSelect={false}
      aria-label="Canvas"
    >
      <Background variant={BackgroundVariant.Dots} gap={GRID_PX} size={1} color="var(--edge)" />
      <MiniMap
        pannable
        zoomable
        ariaLabel="Canvas map"
        nodeColor={({ id }) => tiles.find((tile) => tile.id === id)?.color ?? 'var(--muted)'}
        nodeStrokeColor={({ id }) => (tiles.find((tile) => tile.id === id)?.isFocused ? 'var(--accent)' : 'transparent')}
        nodeStrokeWidth={12}
        nodeBorderRadius={24}
      />
      <Panel position="bottom-left">{children}</Panel>
    </ReactFlow>
  )
}

const NO_EDGES: never[] = []
const NO_HANDLES: never[] = []
const PAN_BUTTONS = [0, 1] // left and middle, on the background

const nodeOf = ({ id, rect: { x, y, width, height }, isFocused, name }: FlowTile): TileNode => ({
  id,
  type: 'tile',
  position: { x, y },
  width,
  height,
  data: {},
  // Said to have no handles, it need not be mounted to find that out: else every change would mount all of them for a moment.
  handles: NO_HANDLES,
  dragHandle: '.tileHeader, .tileCard',
  zIndex: isFocused ? 1 : 0,
  ariaRole: 'group',
  ariaLabel: `Place of ${name}`,
})

/** A node keeps its identity while its tile stays the same: the library renders again those that are other objects. */
function useNodes(tiles: readonly FlowTile[]): TileNode[] {
  const last = useRef<ReadonlyMap<string, { readonly tile: FlowTile; readonly node: TileNode }>>(new Map())
  last.current = new Map(
    tiles.map((tile) => {
      const known = last.current.get(tile.id)
      return [tile.id, known !== undefined && isSame(known.tile, tile) ? known : { tile, node: nodeOf(tile) }]
    }),
  )
  return [...last.current.values()].map(({ node }) => node)
}

/** The same object where nothing of it changed. */
function changedRect(rect: Rect, id: string, changes: readonly NodeChange<TileNode>[]): Rect {
  let next = rect
  for (const change of changes) {
    if (!('id' in change) || change.id !== id) continue
    if (change.type === 'position' && change.position !== undefined && change.dragging !== false) next = { ...next, ...change.position }
    if (change.type === 'dimensions' && change.dimensions !== undefined && change.resizing === true)
      next = { ...next, ...change.dimensions }
  }
  return next
}

function TileOnPlane({ id }: NodeProps<TileNode>) {
  const { draw, onPlaced, isFixed } = useContext(Draw)
  const isCard = useStore(({ transform }) => transform[2] < READABLE_ZOOM)
  return (
    <>
      <NodeResizer
        isVisible={!isFixed}
        minWidth={SMALLEST_TILE.width}
        minHeight={SMALLEST_TILE.height}
        maxWidth={LARGEST_TILE.width}
        maxHeight={LARGEST_TILE.height}
        handleClassName="resizeHandle"
        lineClassName="resizeLine"
        onResizeEnd={() => onPlaced(id)}
      />
      {draw(id, isCard)}
    </>
  )
}

const NODE_TYPES = { tile: TileOnPlane }

function useFlowHandle(handle: Ref<FlowHandle>, plane: { readonly current: HTMLDivElement | null }): void {
  const flow = useReactFlow()
  const zoomTo = useCallback(
    (factor: number) => {
      const { clientWidth = 0, clientHeight = 0 } = plane.current ?? {}
      const middle = { x: clientWidth / 2, y: clientHeight / 2 }
      void flow.setViewport(zoomedAt(flow.getViewport(), middle, factor))
    },
    [flow, plane],
  )
  useImperativeHandle(
    handle,
    () => ({
      zoomBy: zoomTo,
      fit: () => {
        const rects = flow.getNodes().map(({ position, width = 0, height = 0 }) => ({ ...position, width, height }))
        const { clientWidth = 0, clientHeight = 0 } = plane.current ?? {}
        void flow.setViewport(fitted(rects, { width: clientWidth, height: clientHeight }), { duration: motionMs() })
      },
      actualSize: () => zoomTo(1 / flow.getZoom()),
      bringIntoView: (rect) => {
        const { clientWidth = 0, clientHeight = 0 } = plane.current ?? {}
        const seen = flow.getViewport()
        // Here already: where the plane is on its way to another tile, it stops, or it would carry this one away.
        if (holds(seenThrough(seen, { width: clientWidth, height: clientHeight }), rect)) return void flow.setViewport(seen)
        const room = Math.min(clientWidth / (rect.width * 1.1), clientHeight / (rect.height * 1.1))
        const zoom = Math.min(Math.max(flow.getZoom(), READABLE_ZOOM), Math.max(room, ZOOM.least), 1)
        void flow.setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom, duration: motionMs() })
      },
    }),
    [flow, plane, zoomTo],
  )
}

/** Zooms wherever the pointer is: over a terminal, too, whose own wheel scrolls it. */
function useCtrlWheel(plane: { readonly current: HTMLDivElement | null }): void {
  const flow = useReactFlow()
  useEffect(() => {
    const element = plane.current
    if (element === null) return undefined
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      event.stopPropagation()
      const { left, top } = element.getBoundingClientRect()
      void flow.setViewport(zoomedAt(flow.getViewport(), { x: event.clientX - left, y: event.clientY - top }, wheelFactor(event)))
    }
    element.addEventListener('wheel', turn, { capture: true, passive: false })
    return () => element.removeEventListener('wheel', turn, { capture: true })
  }, [flow, plane])
}

/** How large the plane is drawn, for reading. */
export function ZoomText() {
  const zoom = useStore(({ transform }) => transform[2])
  return `${Math.round(zoom * 100)} %`
}
