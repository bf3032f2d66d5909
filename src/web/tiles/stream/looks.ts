/**
 * Tells the daemon of which size a terminal is looked at on this page, and learns who decides its size. The size of the drawing follows
 * the log instead: another client may lead.
 */
import type { ClientState, DaemonClient } from '../../../client/daemonClient.ts'
import type { TerminalView } from '../../../wire/view.ts'
import { isSameSize, type Lead } from '../../../workspace/terminal/sizing.ts'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import type { Place } from '../../state/words.ts'

/** Agents redraw everything at each size, so only the last one of a drag is sent. */
const SETTLED_MS = 100

export type LooksOptions = {
  readonly client: Pick<DaemonClient, 'request' | 'onState'>
  readonly terminal: string
  readonly screen: { measure(): Size | null; scale(): void }
  readonly isVisible: () => boolean
  /** Whether the size of the tile counts in the daemon. */
  readonly mayLook: () => boolean
  readonly onPlace: (place: Place) => void
}

export class Looks {
  private readonly options: LooksOptions
  private readonly stopListening: () => void
  /** Before the terminal is shown, and after it was closed, nothing is told. */
  private isOpen = false
  private sizedBy: TerminalView['sizedBy'] = { kind: 'nobody' }
  /** The daemon's number for this page. */
  private number: number | null = null
  /** Whether this page led when it was last connected. */
  private ledBefore = false
  /** The size that the daemon was told; undefined before the first look. */
  private told: Size | null | undefined = undefined
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: LooksOptions) {
    this.options = options
    this.stopListening = options.client.onState((state) => this.takeLink(state))
  }

  show({ sizedBy }: TerminalView): void {
    this.isOpen = true
    this.sizedBy = sizedBy
  }

  /** Something is drawn: the daemon learns of the tile, unless it knows. */
  begin(): void {
    if (this.told === undefined) this.look('ifFree')
  }

  /** This client leads from now on. */
  lead(): void {
    this.look('yes')
  }

  /** The tile has another size, is hidden, or is visible again. */
  placeChanged(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.options.screen.scale()
      const place = this.place()
      if (place === 'unknown' || (this.told !== undefined && isSameSize(place, this.told))) return
      this.look('ifFree')
    }, SETTLED_MS)
  }

  close(): void {
    const { client, terminal } = this.options
    clearTimeout(this.timer)
    this.stopListening()
    if (this.told !== undefined && this.told !== null && this.number !== null)
      void client.request('terminal.look', { terminal, size: null, lead: 'no' })
    this.told = undefined
    this.isOpen = false
  }

  /** Only the former leader claims the lead again, so a restart of the daemon resizes nothing. */
  private takeLink({ kind }: ClientState): void {
    if (kind === 'connected' && this.told !== undefined) this.look(this.ledBefore ? 'ifFree' : 'no')
    if (kind === 'connected' || kind === 'connecting' || this.number === null) return
    this.ledBefore = this.sizedBy.kind === 'client' && this.sizedBy.client === this.number
    this.number = null
  }

  private place(): Size | null | 'unknown' {
    return this.options.isVisible() ? (this.options.screen.measure() ?? 'unknown') : null
  }

  private look(lead: Lead): void {
    const { client, terminal, onPlace, mayLook } = this.options
    const size = this.place()
    if (!this.isOpen || size === 'unknown') return
    // A view-only browser sizes nothing, but its page shows that the terminal has another size.
    if (!mayLook()) return onPlace({ size, client: null })
    this.told = size
    void client.request('terminal.look', { terminal, size, lead }).then((answer) => {
      if (!answer.ok || !this.isOpen) return
      this.number = answer.value.result.client
      this.sizedBy = answer.value.result.terminal.sizedBy
      onPlace({ size, client: this.number })
    })
  }
}
