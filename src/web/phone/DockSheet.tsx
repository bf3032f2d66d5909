import { useEffect, useRef } from 'react'
import { Dock } from '../dock/Dock.tsx'
import { useParts } from '../parts.ts'
import { closeByDrag } from './closeByDrag.ts'
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
