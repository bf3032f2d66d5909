/** Puts the one terminal drawing into the place the view offers, and keeps it on what the page has selected. */
import type { DaemonClient } from '../client/daemonClient.ts'
import type { Size } from '../workspace/terminal.ts'
import { deepestFor } from './depth.ts'
import { pageKeyOf, scrollOf, type TouchKey } from './keys.ts'
import type { Page } from './page.ts'
import { Viewer } from './viewer.ts'
import { Xterm } from './xterm.ts'

export class Stage {
  private readonly page: Page
  private readonly client: DaemonClient
  private mounted: { readonly screen: Xterm; readonly viewer: Viewer } | null = null

  constructor(page: Page, client: DaemonClient) {
    this.page = page
    this.client = client
  }

  mount = (host: HTMLElement): (() => void) => {
    const screen = new Xterm({
      host,
      onTyped: (bytes) => viewer.type(bytes),
      onKey: (event) => this.takeKey(event),
      onViewed: (view) => viewer.scrollback.viewed(view),
    })
    const viewer = new Viewer({
      client: this.client,
      screen,
      isVisible: () => !document.hidden,
      onPlace: (place) => this.page.takePlace(place),
      scrollback: { deepest: deepestFor(memoryGb()), onNote: (note) => this.page.takeHistoryNote(note) },
    })
    const sizes = new ResizeObserver(() => viewer.placeChanged())
    const seen = () => viewer.placeChanged()
    let followed: string | null = null
    const follow = () => {
      const { shown } = this.page
      viewer.show(shown)
      screen.frame(this.page.sizeNote !== null)
      if (shown !== null && shown.id !== followed) this.focus()
      followed = shown?.id ?? null
    }
    const stopFollowing = this.page.subscribe(follow)
    this.mounted = { screen, viewer }
    sizes.observe(host)
    document.addEventListener('visibilitychange', seen)
    follow()
    return () => {
      this.mounted = null
      stopFollowing()
      sizes.disconnect()
      document.removeEventListener('visibilitychange', seen)
      viewer.close()
      screen.dispose()
    }
  }

  measure(): Size | null {
    return this.mounted?.screen.measure() ?? null
  }

  /**
   * Not on a phone, whose keyboard would cover half of what is to be read; nor away from a field that is being typed into:
   * what asked for it may have taken a while.
   */
  focus(): void {
    if (document.activeElement instanceof HTMLInputElement) return
    if (!matchMedia('(pointer: coarse)').matches) this.mounted?.screen.focus()
  }

  /** Gives the terminal the size of this place, for everybody. */
  lead(): void {
    this.mounted?.viewer.lead()
    this.focus()
  }

  /** Everything the drawing holds, oldest line first. */
  text(): string {
    return this.mounted?.screen.text() ?? ''
  }

  /** What is seen of it, row by row. */
  seen(): readonly string[] {
    return this.mounted?.screen.seen() ?? []
  }

  get selection(): string {
    return this.mounted?.screen.selection ?? ''
  }

  typeKey(key: TouchKey): void {
    const text = this.mounted?.screen.applicationCursor ? (key.application ?? key.bytes) : key.bytes
    this.mounted?.viewer.type(new TextEncoder().encode(text))
  }

  /** True when the terminal shall have the key. */
  takeKey(event: KeyboardEvent): boolean {
    const rows = scrollOf(event, { isLive: this.page.shown?.state === 'live', rows: this.mounted?.screen.view.rows ?? 0 })
    if (rows !== null) {
      event.preventDefault()
      this.mounted?.screen.scrollBy(rows)
      return false
    }
    const key = pageKeyOf(event)
    if (key === null) return true
    const { selection } = this
    if (key === 'copy' && selection === '') return true
    event.preventDefault()
    if (key === 'copy') void navigator.clipboard.writeText(selection)
    else this.page.selectBeside(key === 'next' ? 1 : -1)
    return false
  }
}

/** Browsers tell it, or not. */
const memoryGb = (): number | undefined => (navigator as Navigator & { readonly deviceMemory?: number }).deviceMemory
