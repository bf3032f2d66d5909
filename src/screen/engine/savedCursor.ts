/**
 * A saved cursor is a place on the screen. The engine keeps it as a row of its buffer, so that it wanders while the history
 * fills and stands still once it is full: what a program draws then depends on how much history there happens to be.
 * This keeps it where it is on the screen. It fits the headless engine and the page's alike.
 */
type Watch = { dispose(): void }
type SavingBuffer = { savedY: number; readonly ybase: number; readonly lines: { readonly length: number; readonly maxLength: number } }

export type SavedCursorTarget = {
  readonly rows: number
  readonly parser: {
    registerCsiHandler(id: { prefix?: string; final: string }, callback: (params: (number | number[])[]) => boolean): Watch
  }
}

type Core = {
  readonly _bufferService: {
    readonly buffers: { readonly normal: SavingBuffer; readonly alt: SavingBuffer; readonly active: SavingBuffer }
    onScroll(listener: () => void): Watch
    resize(cols: number, rows: number): void
  }
  readonly _inputHandler: { onRequestReset(listener: () => void): Watch }
}

export function holdSavedCursor(terminal: SavedCursorTarget): void {
  const { _bufferService: service, _inputHandler: input } = Reflect.get(terminal, '_core') as Core
  const normal = () => service.buffers.normal
  let base = 0
  let filling: Watch | null = null
  const scrolled = (): void => {
    const buffer = normal()
    // A history that was cut off at its top meanwhile has taken the place along with it.
    if (buffer.ybase > base) buffer.savedY += buffer.ybase - base
    base = buffer.ybase
    if (buffer.lines.length < buffer.lines.maxLength) return
    filling?.dispose()
    filling = null
  }
  const watchFilling = (): void => {
    base = normal().ybase
    filling ??= service.onScroll(scrolled)
  }
  watchFilling()

  const erased = (): boolean => {
    const buffer = normal()
    const count = buffer.lines.length - terminal.rows
    if (service.buffers.active !== buffer || count <= 0) return false
    watchFilling()
    buffer.savedY = Math.max(0, buffer.savedY - count)
    base -= count
    return false
  }
  terminal.parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 3 && erased())
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'J' }, ([mode]) => mode === 3 && erased())
  input.onRequestReset(watchFilling)

  const resize = service.resize.bind(service)
  service.resize = (cols, rows) => {
    const [y, alternateY] = [normal().savedY - normal().ybase, service.buffers.alt.savedY]
    resize(cols, rows)
    normal().savedY = normal().ybase + Math.max(0, Math.min(y, rows - 1))
    service.buffers.alt.savedY = Math.min(alternateY, rows - 1)
    watchFilling()
  }
}
