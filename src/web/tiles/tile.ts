/**
 * One terminal as it is drawn on the page: its element, its screen and its line to the daemon. The element can be put from
 * one place of the page into another, and keeps what it shows.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { CommandName } from '../../wire/commands/commands.ts'
import type { PageSettings } from '../../wire/pageSettings.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Appearance } from './draw/appearance.ts'
import type { Cell } from './draw/cell.ts'
import { Xterm } from './draw/xterm.ts'
import { Find } from './find/find.ts'
import { countOlder } from './find/olderHits.ts'
import { PatternTrial } from './find/patternTrial.ts'
import { deepestFor } from './stream/depth.ts'
import { type Attention, type Pace, pacedScreen } from './stream/pace.ts'
import { Viewer } from './stream/viewer.ts'
import { listenToTile } from './tileEvents.ts'
import { NEW_TILE, type TileState } from './tileState.ts'
import { type CopyAnswer, CopyConsent } from './transfer/copyConsent.ts'
import { copyText, withoutTrailingSpaces } from './transfer/copyText.ts'
import { type PasteAnswer, Pasting } from './transfer/pasting.ts'
import { sendFile } from './transfer/sendFile.ts'
import { Uploads } from './transfer/uploads.ts'
import { Unsaid } from './unsaid.ts'

/** A terminal out of view for this long is no longer followed. Shorter absences cost no repaint. */
const FOLLOWED_UNSEEN_MS = 5_000

export type TileOptions = {
  readonly client: DaemonClient
  readonly terminal: string
  readonly pace: Pace
  readonly settings: () => PageSettings
  readonly appearance: Appearance
  /** False for a key that the page takes for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onFocus: () => void
  readonly onState: (state: TileState) => void
  /** Whether this browser may ask the daemon for a command. */
  readonly may: (command: CommandName) => boolean
  /** What is sent for what was typed: soft keys may hold Ctrl or Alt. */
  readonly modify: (bytes: Uint8Array) => Uint8Array
}

/** A key as its bytes, with those that programs want where cursor keys have their other form. */
export type TypedKey = { readonly bytes: string; readonly application?: string }

export class Tile {
  readonly element = document.createElement('div')
  readonly find: Find
  readonly uploads: Uploads
  private readonly screen: Xterm
  private readonly viewer: Viewer
  private readonly consent: CopyConsent
  private readonly pasting: Pasting
  private readonly sizes: ResizeObserver
  private readonly leaving = new AbortController()
  private readonly lane: ReturnType<Pace['open']>
  private readonly unsaid: Unsaid
  private readonly trial = new PatternTrial()
  private attention: Attention = 'seen'
  private pausing: ReturnType<typeof setTimeout> | undefined
  private state: TileState = NEW_TILE
  private readonly modify: TileOptions['modify']
  private readonly mayType: () => boolean

  constructor(options: TileOptions, host: HTMLElement) {
    const { client, terminal, pace, settings, appearance, onState } = options
    this.modify = options.modify
    this.mayType = () => options.may('terminal.send')
    this.element.className = 'host'
    host.append(this.element)
    const change = (changes: Partial<TileState>): void => {
      this.state = { ...this.state, ...changes }
      onState(this.state)
    }
    this.unsaid = new Unsaid((unsent) => change({ unsent }))
    this.consent = new CopyConsent({ policy: () => settings().clipboard, copy: copyText, onAsked: (copyAsked) => change({ copyAsked }) })
    this.screen = new Xterm({
      host: this.element,
      appearance,
      onTyped: (bytes) => this.type(this.modify(bytes)),
      onKey: options.onKey,
      onViewed: (view) => {
        if (view.below > 0) this.lane.goOn('there') // a scrolled-up viewport keeps its lines
        this.viewer.scrollback.viewed(view)
      },
      onLink: (link) => change({ link }),
      onCopyAsked: (text) => this.attention !== 'unseen' && void this.consent.asked(text),
      onHits: (hits) => this.find.takeHits(hits),
      onErased: () => this.viewer.scrollback.erased(),
      onPulled: () => this.viewer.scrollback.pulled(),
    })
    this.lane = pace.open(this.screen, {
      may: () => !this.screen.isRead,
      stop: () => this.viewer.skip(),
      goOn: (from) => this.viewer.goOn(from),
    })
    this.viewer = new Viewer({
      client,
      terminal,
      screen: pacedScreen(this.screen, this.lane),
      isVisible: () => !document.hidden && this.element.isConnected,
      mayLook: () => options.may('terminal.look'),
      onPlace: (place) => change({ place }),
      scrollback: {
        deepest: deepestFor(memoryGb()),
        onNote: (historyNote) => historyNote !== this.state.historyNote && change({ historyNote }),
      },
    })
    this.find = new Find({
      screen: this.screen,
      scrollback: this.viewer.scrollback,
      isQuick: (query) => this.trial.isQuick(query, this.screen.text()),
      countOlder: (query) => countOlder({ client, terminal, query, before: this.viewer.scrollback.oldestDrawn }),
      onState: (find) => change({ find }),
    })
    this.pasting = new Pasting({ isGuarded: () => settings().pasteGuard, screen: this.screen, onQuestion: (paste) => change({ paste }) })
    this.uploads = new Uploads({
      send: (file, onProgress) => sendFile({ terminal, file, onProgress }),
      onPaths: (text) => this.screen.paste(text),
      onState: (upload) => change({ upload }),
    })
    this.sizes = new ResizeObserver(() => this.viewer.looks.placeChanged())
    this.sizes.observe(this.element)
    this.listen(options, (isHeldOver) => {
      const isDropTarget = isHeldOver && this.mayType()
      if (isDropTarget !== this.state.isDropTarget) change({ isDropTarget })
    })
    onState(this.state)
  }

  /** Called with every change of the record. */
  show(terminal: TerminalView): void {
    this.viewer.show(terminal)
  }

  /** Called with every change of the settings. */
  dress(appearance: Appearance): void {
    if (this.screen.dress(appearance)) this.viewer.looks.placeChanged()
  }

  setAttention(attention: Attention): void {
    if (attention === this.attention) return
    this.attention = attention
    clearTimeout(this.pausing)
    if (attention === 'unseen') this.pausing = setTimeout(() => this.viewer.pause(), FOLLOWED_UNSEEN_MS)
    else this.viewer.resume()
    this.lane.setAttention(attention)
  }

  /** False where it does not work. */
  drawBy(renderer: 'gl' | 'dom', onLost: () => void): boolean {
    const lost = (): void => {
      this.viewer.looks.placeChanged()
      onLost()
    }
    if (renderer === 'dom') this.screen.stopGraphics()
    const isDone = renderer === 'dom' || this.screen.startGraphics(lost)
    this.viewer.looks.placeChanged()
    return isDone
  }

  get isDrawnByGraphics(): boolean {
    return this.screen.isDrawnByGraphics
  }

  moveTo(host: HTMLElement): void {
    if (this.element.parentElement !== host) host.append(this.element)
    this.viewer.looks.placeChanged()
  }

  leave(): void {
    this.element.remove()
    this.viewer.looks.placeChanged()
  }

  /** A screen of another size than its place. */
  frame(isFramed: boolean): void {
    this.screen.frame(isFramed)
  }

  focus(): void {
    this.screen.focus()
  }

  /** Gives the terminal the size of this tile, for all clients. */
  lead(): void {
    this.viewer.looks.lead()
  }

  measure(): Size | null {
    return this.screen.measure()
  }

  get cell(): Cell | null {
    return this.screen.cell
  }

  /** Whether the user has scrolled up in it, or selected text. */
  get isRead(): boolean {
    return this.screen.isRead
  }

  /** Stops drawing: its program is ending, and its last screen stays. */
  freeze(): void {
    this.viewer.pause()
  }

  scrollBy(rows: number): void {
    this.screen.scrollBy(rows)
  }

  get rows(): number {
    return this.screen.view.rows
  }

  get selection(): string {
    return withoutTrailingSpaces(this.screen.selection)
  }

  /** Everything the drawing holds, oldest line first. */
  text(): string {
    return this.screen.text()
  }

  /** What is seen of it, row by row. */
  seen(): readonly string[] {
    return this.screen.seen()
  }

  typeKey(key: TypedKey): void {
    const text = this.screen.applicationCursor ? (key.application ?? key.bytes) : key.bytes
    this.type(this.modify(new TextEncoder().encode(text)))
  }

  typeText(text: string): void {
    this.type(new TextEncoder().encode(text))
  }

  paste(text: string): void {
    if (!this.mayType()) return this.unsaid.say('viewOnly', new Uint8Array())
    this.pasting.take(text)
  }

  /** Opens the search, for what is selected if that is a word or two. */
  findSelected(): void {
    const { selection } = this
    this.find.open(selection.includes('\n') ? '' : selection)
  }

  answerPaste(answer: PasteAnswer): void {
    this.pasting.answer(answer)
  }

  answerCopy(answer: CopyAnswer, offer: number): void {
    void this.consent.answer(answer, offer)
  }

  dispose(): void {
    clearTimeout(this.pausing)
    this.leaving.abort()
    this.unsaid.stop()
    this.trial.stop()
    this.consent.close()
    this.sizes.disconnect()
    this.lane.close()
    this.viewer.close()
    this.screen.dispose()
    this.element.remove()
  }

  private type(bytes: Uint8Array): void {
    const unsent = this.mayType() ? this.viewer.type(bytes) : 'viewOnly'
    if (unsent !== null) this.unsaid.say(unsent, bytes)
  }

  private listen({ settings, onFocus }: TileOptions, onHeldOver: (isHeldOver: boolean) => void): void {
    const { signal } = this.leaving
    document.addEventListener('visibilitychange', () => this.viewer.looks.placeChanged(), { signal })
    this.element.addEventListener('focusin', onFocus, { signal })
    this.element.addEventListener('focusout', () => this.unsaid.left(), { signal })
    const events = {
      onPasted: (text: string) => this.paste(text),
      onFiles: (files: readonly File[]) => (this.mayType() ? void this.uploads.take(files) : this.unsaid.say('viewOnly', new Uint8Array())),
      onHeldOver,
      onCopied: () => (this.screen.selection === '' ? null : this.selection),
      onSelected: () => settings().copyOnSelect && this.selection !== '' && void copyText(this.selection),
    }
    listenToTile(this.element, events, signal)
  }
}

/** Browsers tell it, or not. */
const memoryGb = (): number | undefined => (navigator as Navigator & { readonly deviceMemory?: number }).deviceMemory
