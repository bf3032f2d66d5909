/** Touch scrolling: rows follow the finger, and coast after a fast release. */
export type TouchTarget = {
  /** In pixels; 0 where it is not on the page. */
  rowHeight(): number
  /** Down if positive. */
  scroll(rows: number): void
  readonly signal: AbortSignal
}

const SLOWER_PER_MS = 0.996 // halves the speed every 170 ms
const STILL_PX_PER_MS = 0.05
/** A finger that rested before it let go does not throw. */
const RESTED_MS = 80

export function scrollByTouch(host: HTMLElement, target: TouchTarget): void {
  const { signal } = target
  let last: { readonly y: number; readonly at: number } | null = null
  let speed = 0
  let rest = 0
  let frame = 0
  const move = (pixels: number): void => {
    rest += pixels
    const rows = Math.trunc(rest / target.rowHeight())
    rest -= rows * target.rowHeight()
    if (rows !== 0) target.scroll(rows)
  }
  const glide = (before: number) => (now: number) => {
    if (target.rowHeight() === 0) return // the user has switched to another terminal
    move(speed * (now - before))
    speed *= SLOWER_PER_MS ** (now - before)
    if (Math.abs(speed) > STILL_PX_PER_MS && !signal.aborted) frame = requestAnimationFrame(glide(now))
  }
  const start = (event: TouchEvent): void => {
    cancelAnimationFrame(frame)
    const [touch] = event.touches
    last = event.touches.length === 1 && touch !== undefined ? { y: touch.clientY, at: event.timeStamp } : null
    speed = 0
    rest = 0
  }
  const follow = (event: TouchEvent): void => {
    const [touch] = event.touches
    if (last === null || touch === undefined) return
    const pixels = last.y - touch.clientY
    speed = pixels / Math.max(1, event.timeStamp - last.at)
    last = { y: touch.clientY, at: event.timeStamp }
    move(pixels)
  }
  const end = (event: TouchEvent): void => {
    const rested = last === null || event.timeStamp - last.at > RESTED_MS
    last = null
    if (!rested && Math.abs(speed) > STILL_PX_PER_MS) frame = requestAnimationFrame(glide(performance.now()))
  }
  host.addEventListener('touchstart', start, { passive: true, signal })
  host.addEventListener('touchmove', follow, { passive: true, signal })
  host.addEventListener('touchend', end, { passive: true, signal })
  host.addEventListener('touchcancel', end, { passive: true, signal })
}
