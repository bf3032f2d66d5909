/** Follows a workspace's tab that is dragged along the bar. */
import type { PointerEvent } from 'react'
import type { TabPlace } from './workspaceTabs.ts'

const THRESHOLD_PX = 5 // a click that shakes is no drag

type Handlers = {
  readonly onMove: (places: readonly TabPlace[], x: number) => void
  /** Without a place when it was given up. */
  readonly onEnd: (places: readonly TabPlace[], x: number | null) => void
}

/** Places are counted within the strip that holds all tabs, so that it may be scrolled meanwhile. */
export function followTab(start: PointerEvent<HTMLElement>, { onMove, onEnd }: Handlers): void {
  const strip = start.currentTarget.closest<HTMLElement>('.workspaces')
  if (strip === null) return
  const ending = new AbortController()
  const listen = { signal: ending.signal, capture: true }
  let isDragged = false
  const within = (event: globalThis.PointerEvent): number => event.clientX - strip.getBoundingClientRect().left + strip.scrollLeft
  const end = (x: number | null) => {
    ending.abort()
    if (!isDragged) return
    window.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallow, true))
    onEnd(placesIn(strip), x)
  }
  window.addEventListener(
    'pointermove',
    (event) => {
      isDragged ||= Math.abs(event.clientX - start.clientX) >= THRESHOLD_PX
      if (isDragged) onMove(placesIn(strip), within(event))
    },
    listen,
  )
  window.addEventListener('pointerup', (event) => end(within(event)), listen)
  window.addEventListener('pointercancel', () => end(null), listen)
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(null), listen)
}

/** The end of a drag is no click. */
const swallow = (event: Event): void => event.stopPropagation()

function placesIn(strip: HTMLElement): readonly TabPlace[] {
  const { left } = strip.getBoundingClientRect()
  return [...strip.querySelectorAll<HTMLElement>('[data-workspace]')].map((tab) => {
    const rect = tab.getBoundingClientRect()
    return {
      workspace: tab.dataset['workspace'] ?? '',
      group: tab.closest<HTMLElement>('[data-group]')?.dataset['group'] ?? '',
      left: rect.left - left + strip.scrollLeft,
      width: rect.width,
    }
  })
}
