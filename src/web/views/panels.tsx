/** Parts that share a room, with borders between them that can be dragged. The only file that knows the library for it. */
import { Fragment, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'
import { Group, type GroupImperativeHandle, type Layout, Panel, Separator } from 'react-resizable-panels'
import type { Direction } from '../../workspace/layout.ts'
import { useIsCovered } from './useIsCovered.ts'

export type Part = {
  /** Stays the same as long as it is the same part: its inside is drawn anew otherwise. */
  readonly key: string
  /** For those who cannot see the border beside it. */
  readonly name: string
  /** Of all parts together 1. */
  readonly size: number
  readonly inside: ReactNode
}

type Props = {
  readonly direction: Direction
  readonly parts: readonly Part[]
  /** Borders that cannot be moved. */
  readonly isFixed: boolean
  /** Once, when the user has moved a border; null when somebody does not want it, and the sizes are as they were. */
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
      {parts.map(({ key, name, inside }, index) => (
        <Fragment key={key}>
          {index > 0 && (
            <Separator
              className="border"
              disableDoubleClick
              aria-label={`Border between ${parts[index - 1]?.name ?? ''} and ${name}`}
              onDoubleClick={onBalance}
            />
          )}
          <Panel id={key} className="panel" minSize={SMALLEST}>
            {inside}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

const hasSameParts = (a: Layout, b: Layout): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => key in b)
