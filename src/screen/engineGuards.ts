/**
 * The engine throws for some input that is perfectly legal, and is unusable afterwards. These handlers stand before its own
 * and do the same work safely. They fit the headless engine and the page's alike.
 */
import { holdSavedCursor, type SavedCursorTarget } from './savedCursor.ts'

export type GuardTarget = SavedCursorTarget & {
  readonly cols: number
  readonly parser: {
    registerCsiHandler(id: { prefix?: string; final: string }, callback: (params: (number | number[])[]) => boolean): { dispose(): void }
  }
}

type Params = { readonly params: readonly number[]; readonly length: number }
type Eraser = {
  eraseInDisplay(params: Params, respectProtection: boolean): boolean
  eraseInLine(params: Params, respectProtection: boolean): boolean
}
type CursorBuffer = {
  x: number
  readonly y: number
  readonly ybase: number
  readonly lines: { get(row: number): { isWrapped: boolean } | undefined; readonly length: number }
}

const one = (value: number): Params => ({ params: [value], length: 1 })

export function guardEngine(terminal: GuardTarget): void {
  holdSavedCursor(terminal)
  const core = Reflect.get(terminal, '_core') as { _inputHandler: Eraser; _bufferService: { buffers: { active: CursorBuffer } } }
  /**
   * Erasing upwards from the last column, the engine takes a row of the history for the one after the cursor's, and does not
   * ask whether there is one.
   */
  const eraseAbove = (respectProtection: boolean) => {
    const buffer = core._bufferService.buffers.active
    const { x } = buffer
    if (x < terminal.cols - 1) return false
    buffer.x = terminal.cols - 2
    core._inputHandler.eraseInDisplay(one(1), respectProtection)
    buffer.x = terminal.cols - 1
    core._inputHandler.eraseInLine(one(0), respectProtection)
    buffer.x = x
    const next = buffer.ybase + buffer.y + 1
    const continued = next < buffer.lines.length ? buffer.lines.get(next) : undefined
    if (continued !== undefined) continued.isWrapped = false
    return true
  }
  terminal.parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 1 && eraseAbove(false))
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'J' }, ([mode]) => mode === 1 && eraseAbove(true))
}
