/**
 * How high the page may be so that the phone's keyboard covers nothing of it. Some browsers shrink the page by themselves;
 * others only tell how much of it can be seen.
 */
export type Seen = { readonly height: number; readonly scale: number }

/** Null: the whole page can be seen, or it is looked at through a magnifier, which is no reason to shrink it. */
export function visibleHeight({ height, scale }: Seen, pageHeight: number): number | null {
  if (Math.abs(scale - 1) > 0.01 || height <= 0) return null
  return height < pageHeight - 1 ? Math.floor(height) : null
}

export function followVisibleHeight(root: HTMLElement): void {
  const viewport = window.visualViewport
  if (viewport === null) return
  const follow = (): void => {
    const height = visibleHeight(viewport, window.innerHeight)
    if (height === null) root.style.removeProperty('--visible-height')
    else root.style.setProperty('--visible-height', `${height}px`)
    // Where the keyboard lies over the page, browsers push the page up to show the field: it is in view already.
    if (height !== null && viewport.offsetTop > 0) window.scrollTo(0, 0)
  }
  viewport.addEventListener('resize', follow)
  viewport.addEventListener('scroll', follow)
}
