import { useEffect, useRef } from 'react'
import { Dock } from '../dock/Dock.tsx'
import { useParts } from '../hooks/parts.ts'
import './phone.css'

/** The dock from below, within reach of a thumb. What is behind it is inert meanwhile, so that the focus stays in it. */
export function DockSheet() {
  const { page } = useParts()
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => (sheet.current === null ? undefined : closeByDrag(sheet.current, () => page.closeOverlay())), [page])
  // Wherever the focus is: behind the last button it leaves for the page as a whole.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) page.closeOverlay()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [page])
  return (
    <>
      <div className="sheetBack" aria-hidden="true" onPointerDown={() => page.closeOverlay()} />
      <section className="sheet" role="dialog" aria-modal="true" aria-label="Terminals" tabIndex={-1} ref={sheet}>
        <button type="button" className="grab" aria-label="Hide the list" onClick={() => page.closeOverlay()}>
          <span aria-hidden="true" />
        </button>
        <Dock />
      </section>
    </>
  )
}

/** Lets a sheet follow a finger down, and closes it when it was pulled far enough. A list in it scrolls first. */
const FAR_SHARE = 0.25 // of its height

function closeByDrag(sheet: HTMLElement, close: () => void): () => void {
  const leaving = new AbortController()
  let from: number | null = null
  let by = 0
  const start = ({ touches, target }: TouchEvent): void => {
    const isAtTop = !(target instanceof Element) || isScrolledToTop(target, sheet)
    from = touches.length === 1 && isAtTop ? (touches[0]?.clientY ?? null) : null
    by = 0
  }
  const follow = (event: TouchEvent): void => {
    if (from === null) return
    by = Math.max(0, (event.touches[0]?.clientY ?? from) - from)
    if (by === 0) return
    if (event.cancelable) event.preventDefault()
    sheet.style.translate = `0 ${by}px`
  }
  const end = (event: TouchEvent): void => {
    if (from === null) return
    from = null
    if (event.type === 'touchend' && by > sheet.clientHeight * FAR_SHARE) close()
    else sheet.style.translate = ''
  }
  const { signal } = leaving
  sheet.addEventListener('touchstart', start, { signal, passive: true })
  sheet.addEventListener('touchmove', follow, { signal, passive: false })
  sheet.addEventListener('touchend', end, { signal })
  sheet.addEventListener('touchcancel', end, { signal })
  return () => leaving.abort()
}

function isScrolledToTop(target: Element, within: Element): boolean {
  for (let at: Element | null = target; at !== null && at !== within; at = at.parentElement) if (at.scrollTop > 0) return false
  return true
}
