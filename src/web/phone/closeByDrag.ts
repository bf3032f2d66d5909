/** Lets a sheet follow a finger down, and closes it when it was pulled far enough. A list in it scrolls first. */
const FAR_SHARE = 0.25 // of its height

export function closeByDrag(sheet: HTMLElement, close: () => void): () => void {
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
