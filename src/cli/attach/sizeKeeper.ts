/**
 * Registers this window's size with the daemon, takes the lead when the user types here, and notices when another client
 * decides the size. Without a daemon, the former leader keeps resizing, directly at the holder.
 */
import { isSameSize, type Lead, type SizedBy } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'

/** A window being dragged changes size on every frame, and programs repaint everything each time. */
const SETTLED_AFTER_MS = 50
/** While this window leads, the program's size is behind the window's for a moment. */
const FOREIGN_AFTER_MS = 80

export type Looked = { readonly leads: boolean; readonly sizedBy: SizedBy }
export type ForeignSize = { readonly size: Size; readonly sizedBy: SizedBy }

export type SizeKeeperOptions = {
  current(): Size | null
  isConnected(): boolean
  /** Null when the daemon did not answer, or refused. */
  look(size: Size, lead: Lead): Promise<Looked | null>
  /** Directly to the holder, while the daemon is away. */
  tellHolder(size: Size): void
  /** Called when another client decides the size and it differs from the window; null when it fits again. */
  onForeign(foreign: ForeignSize | null): void
}

export type FirstLook = { readonly told: Size | null; readonly looked: Looked | null; readonly program: Size }

export class SizeKeeper {
  private readonly options: SizeKeeperOptions
  private told: Size | null
  private looked: Looked | null
  private program: Size
  /** Requested since the program's size last changed: a refused request is not repeated with every key. */
  private askedFor: Size | null = null
  private isForeign = false
  private settleTimer: ReturnType<typeof setTimeout> | undefined
  private foreignTimer: ReturnType<typeof setTimeout> | undefined

  constructor({ told, looked, program }: FirstLook, options: SizeKeeperOptions) {
    this.told = told
    this.looked = looked
    this.program = program
    this.options = options
  }

  start(): void {
    this.compare()
  }

  readonly windowChanged = (): void => {
    clearTimeout(this.settleTimer)
    this.settleTimer = setTimeout(() => this.settle(), SETTLED_AFTER_MS)
  }

  /** Only the former leader claims the lead again, so a restart of the daemon resizes nothing. */
  readonly daemonIsBack = (): void => {
    const size = this.options.current()
    if (size !== null) void this.look(size, this.leads() ? 'ifFree' : 'no')
  }

  programSized(size: Size): void {
    if (!isSameSize(size, this.program)) this.askedFor = null
    this.program = size
    this.compare()
  }

  typed(): void {
    const size = this.options.current()
    if (size === null || isSameSize(size, this.program) || isSameSize(size, this.askedFor) || !this.options.isConnected()) return
    this.askedFor = size
    void this.look(size, 'yes')
  }

  close(): void {
    clearTimeout(this.settleTimer)
    clearTimeout(this.foreignTimer)
  }

  private settle(): void {
    const size = this.options.current()
    if (size === null) return
    if (isSameSize(size, this.told)) return this.compare()
    if (this.options.isConnected()) return void this.look(size, 'ifFree')
    if (this.leads()) {
      this.told = size
      this.options.tellHolder(size)
    }
    this.compare()
  }

  private async look(size: Size, lead: Lead): Promise<void> {
    const led = this.leads()
    this.told = size
    const looked = await this.options.look(size, lead)
    // The daemon went away before it answered.
    if (looked === null && led && !this.options.isConnected()) this.options.tellHolder(size)
    this.looked = looked ?? this.looked
    this.compare()
  }

  /** The daemon's last answer counts while the program has the registered size. */
  private leads(): boolean {
    return this.looked?.leads === true && isSameSize(this.program, this.told)
  }

  private compare(): void {
    clearTimeout(this.foreignTimer)
    this.foreignTimer = undefined
    const size = this.options.current()
    if (size === null || isSameSize(size, this.program) || this.leads()) {
      if (this.isForeign) this.options.onForeign(null)
      this.isForeign = false
    } else this.foreignTimer = setTimeout(() => void this.sayForeign(size), FOREIGN_AFTER_MS)
  }

  /** Only the daemon can draw a screen of another size; when it is back, the sizes are compared again. */
  private async sayForeign(size: Size): Promise<void> {
    if (!this.options.isConnected()) return
    const asked = this.foreignTimer
    this.looked = (await this.options.look(size, 'no')) ?? this.looked
    // It may fit by now; and if this window leads, its size is on the way.
    if (asked !== this.foreignTimer || this.looked?.leads === true) return
    this.isForeign = true
    this.options.onForeign({ size: this.program, sizedBy: this.looked?.sizedBy ?? { kind: 'nobody' } })
  }
}
