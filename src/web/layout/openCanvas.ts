/** The canvas that is open, if any: what its buttons do, keys and the palette can do too. */
export type CanvasHandle = {
  zoomBy(factor: number): void
  /** All tiles at once. */
  fit(): void
  /** As large as they are, around what is in the middle. */
  actualSize(): void
}

let open: CanvasHandle | null = null

export const openCanvas = (): CanvasHandle | null => open

/** What is returned takes it away again. */
export function offerCanvas(handle: CanvasHandle): () => void {
  open = handle
  return () => {
    if (open === handle) open = null
  }
}
