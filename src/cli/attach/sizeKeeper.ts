/** Keeps a terminal at the size of the window it is shown in: at once where possible, again when the daemon is back. */
import type { Size } from '../../workspace/terminal.ts'

/** A window being dragged changes size on every frame, and programs repaint everything each time. */
const SETTLED_AFTER_MS = 50

export type SizeKeeperOptions = {
  current(): Size | null
  isConnected(): boolean
  /** Through the daemon, which remembers it. */
  tell(size: Size): void
  /** Directly to the holder: the daemon is away. */
  tellHolder(size: Size): void
}

export class SizeKeeper {
  private readonly options: SizeKeeperOptions
  private told: Size | null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(told: Size | null, options: SizeKeeperOptions) {
    this.told = told
    this.options = options
  }

  readonly windowChanged = (): void => {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(), SETTLED_AFTER_MS)
  }

  readonly daemonIsBack = (): void => this.settle()

  close(): void {
    clearTimeout(this.timer)
  }

  private settle(): void {
    const size = this.options.current()
    if (size === null || (size.cols === this.told?.cols && size.rows === this.told.rows)) return
    if (!this.options.isConnected()) return this.options.tellHolder(size)
    this.told = size
    this.options.tell(size)
  }
}
