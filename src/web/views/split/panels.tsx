/** Parts that share a room, with borders between them that can be dragged. The only file that knows the library for it. */
import { Fragment, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Group, type GroupImperativeHandle, type Layout, Panel, Separator } from 'react-resizable-panels'
import type { Direction } from '../../../workspace/layout/layout.ts'
import { nameIn, usePage } from '../../hooks/parts.ts'

type Part = {
  /** Stays the same as long as it is the same part: its inside is drawn anew otherwise. */
  readonly key: string
  /** Its name is read out for the border beside it. */
  readonly terminal: string
  /** Of all parts together 1. */
  readonly size: number
  readonly inside: ReactNode
}

type Props = {
  readonly direction: Direction
  readonly parts: readonly Part[]
  /** Borders that cannot be moved. */
  readonly isFixed: boolean
  /** Called once when the user has moved a border. A result of null: it was refused, and the sizes are reset. */
  readonly onSizes: (sizes: readonly number[]) => Promise<unknown>
  readonly onBalance: () => void
}

const SMALLEST = '72px' // a title bar and a line

export function Panels({ direction, parts, isFixed, onSizes, onBalance }: Props) {
  const group = useRef<GroupImperativeHandle>(null)
  const isDragged = useRef(false)
  const isCovered = useIsCovered()
  const wanted = JSON.stringify(Object.fromEntries(parts.map(({ key, size }) => [key, size * 100])))
  const apply = useCallback((text: string) => {
    const layout = JSON.parse(text) as Layout
    // Parts that came or went are known to the library a moment later; it begins with the sizes that it is given then.
    if (group.current === null || !hasSameParts(group.current.getLayout(), layout)) return
    group.current.setLayout(layout)
    isDragged.current = false
  }, [])
  // What the daemon says wins, but not under the user's hand.
  useLayoutEffect(() => {
    if (!isDragged.current) apply(wanted)
  }, [wanted, apply])
  const changed = async (layout: Layout, { isUserInteraction }: { readonly isUserInteraction: boolean }) => {
    isDragged.current = false
    if (!isUserInteraction) return
    const kept = await onSizes(parts.map(({ key, size }) => layout[key] ?? size * 100))
    if (kept === null) apply(wanted)
  }
  return (
    <Group
      className="panels"
      groupRef={group}
      disabled={isCovered || isFixed}
      orientation={direction === 'row' ? 'horizontal' : 'vertical'}
      defaultLayout={JSON.parse(wanted) as Layout}
      onLayoutChange={() => {
        isDragged.current = true
      }}
      onLayoutChanged={(layout, meta) => void changed(layout, meta)}
    >
      {parts.map(({ key, terminal, inside }, index) => (
        <Fragment key={key}>
          {index > 0 && <Border between={[parts[index - 1]?.terminal ?? '', terminal]} onBalance={onBalance} />}
          <Panel id={key} className="panel" minSize={SMALLEST}>
            {inside}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

/** Apart, because its label has the names of terminals: a new name does not render the parts beside it. */
function Border({ between, onBalance }: { readonly between: readonly string[]; readonly onBalance: () => void }) {
  const names = usePage((state) => between.map((id) => nameIn(state, id) ?? 'a terminal').join(' and '))
  return <Separator className="border" disableDoubleClick aria-label={`Border between ${names}`} onDoubleClick={onBalance} />
}

const hasSameParts = (a: Layout, b: Layout): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => key in b)

const COVERS = 'dialog, [popover], [role="menu"]'

/** Whether the pointer is on something that lies over the workspace: what is below it must not take hold of it. */
function useIsCovered(): boolean {
  const [isCovered, setIsCovered] = useState(false)
  useEffect(() => {
    const look = ({ target, buttons }: PointerEvent) => {
      if (buttons === 0) setIsCovered(target instanceof Element && target.closest(COVERS) !== null)
    }
    document.addEventListener('pointerover', look)
    return () => document.removeEventListener('pointerover', look)
  }, [])
  return isCovered
}
