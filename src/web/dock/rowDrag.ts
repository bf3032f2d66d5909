/** A row of the dock that is dragged with the pointer to another place in its group. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useParts } from '../hooks/parts.ts'
import { type Box, type Drop, dropFor, dropIndex } from './dockRows.ts'

const FROM_PX = 5 // less than this is a click with an unsteady hand

type Grabbed = { readonly terminal: string; readonly among: readonly string[] }
type RowDrag = {
  readonly isDragging: boolean
  readonly grab: (event: PointerEvent<HTMLElement>, grabbed: Grabbed) => void
  /** On which side of this row the line is that shows where it would go. */
  readonly dropAt: (id: string) => Drop['side'] | null
}

export function useRowDrag(list: RefObject<HTMLElement | null>): RowDrag {
  const { page } = useParts()
  const [drop, setDrop] = useState<Drop | null>(null)
  const end = useRef<(() => void) | null>(null)
  useEffect(() => () => end.current?.(), [])
  const grab = ({ button, pointerType, clientY: from }: PointerEvent<HTMLElement>, { terminal, among }: Grabbed) => {
    if (button !== 0 || pointerType === 'touch' || !page.may('dock.move')) return // a finger scrolls
    const listening = new AbortController()
    let last: Drop | null = null
    end.current = () => listening.abort()
    const show = (next: Drop | null) => {
      last = next
      setDrop(next)
    }
    const finish = (isDropped: boolean) => {
      listening.abort()
      const index = last === null || !isDropped ? null : dropIndex(page.state.topology?.dock ?? [], terminal, last)
      if (last !== null) swallowClick()
      show(null)
      if (index !== null) void page.command('dock.move', { terminal, index })
    }
    const on = <Kind extends 'pointermove' | 'pointerup' | 'pointercancel' | 'keydown'>(
      kind: Kind,
      listener: (event: WindowEventMap[Kind]) => void,
    ) => addEventListener(kind, listener, { signal: listening.signal, capture: true })
    on('pointermove', ({ clientY }) => {
      if (last !== null || Math.abs(clientY - from) >= FROM_PX) show(dropFor(boxesOf(list.current, among), clientY))
    })
    on('pointerup', () => finish(true))
    on('pointercancel', () => finish(false))
    on('keydown', (event) => event.key === 'Escape' && finish(false))
  }
  return { isDragging: drop !== null, grab, dropAt: (id) => (drop?.target === id ? drop.side : null) }
}

function boxesOf(list: HTMLElement | null, among: readonly string[]): readonly Box[] {
  return among.flatMap((id) => {
    const box = list?.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect()
    return box === undefined ? [] : [{ id, top: box.top, bottom: box.bottom }]
  })
}

/** The click that ends a drag is none; it comes in the same turn, or never. */
function swallowClick(): void {
  const listening = new AbortController()
  addEventListener('click', (event) => event.stopPropagation(), { capture: true, once: true, signal: listening.signal })
  setTimeout(() => listening.abort(), 0)
}
