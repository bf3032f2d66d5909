/** Keeps as many lines drawn as the user looks at: fetches more near the top, and frees the memory afterwards. */
import type { HistoryNote } from '../../state/words.ts'
import {
  type Depth,
  deeperDepth,
  erasedDepth,
  HELD_ROWS,
  noteFor,
  ROOM_ROWS,
  UNKNOWN_DEPTH,
  USUAL_DEPTH,
  type View,
  wantedDepth,
} from './depth.ts'

/** After this long at the end, older lines are no longer being read. */
const SHALLOW_AFTER_MS = 60_000

export type ScrollbackOptions = {
  readonly screen: { holdRows(count: number): void; readonly view: View }
  readonly deepest: number
  deepen(history: number): void
  onNote(note: HistoryNote | null): void
}

export class Scrollback {
  private readonly options: ScrollbackOptions
  private depth: Depth = UNKNOWN_DEPTH
  private timer: ReturnType<typeof setTimeout> | undefined
  private waiting: ((isDeeper: boolean) => void)[] = []

  constructor(options: ScrollbackOptions) {
    this.options = options
  }

  /** Another terminal, or none. */
  begin(): void {
    this.stopTimer()
    this.depth = UNKNOWN_DEPTH
    this.options.screen.holdRows(HELD_ROWS)
    this.options.onNote(null)
    this.tellWaiting(false)
  }

  /** The number of the oldest drawn line; null if unknown. */
  get oldestDrawn(): number | null {
    return this.depth.lines?.from ?? null
  }

  /** Whether older lines can be had. */
  get canDeepen(): boolean {
    const { screen, deepest } = this.options
    return this.depth.asking !== null || deeperDepth(this.depth, screen.view, deepest) !== null
  }

  /** Fetches older lines, wherever the viewport is. True when they are drawn, false when there are none. */
  deepen(): Promise<boolean> {
    const { screen, deepest, deepen } = this.options
    const wanted = this.depth.asking ?? deeperDepth(this.depth, screen.view, deepest)
    if (wanted === null) return Promise.resolve(false)
    const drawn = new Promise<boolean>((resolve) => this.waiting.push(resolve))
    if (this.depth.asking === null) {
      this.depth = { ...this.depth, asking: wanted }
      deepen(wanted)
    }
    return drawn
  }

  /** A first snapshot, or one after a gap. */
  painted(lines: Depth['lines'], history: number): void {
    this.depth = { ...this.depth, history, lines, isCut: false }
  }

  /** The drawing has nothing above its screen any more. */
  erased(): void {
    this.depth = erasedDepth(this.depth)
  }

  /** The user scrolls up, and nothing is drawn above. */
  pulled(): void {
    if (this.depth.asking === null) void this.deepen()
  }

  /** What was asked for is about to be drawn. */
  makeRoom(): void {
    this.options.screen.holdRows((this.depth.asking ?? this.depth.history) + ROOM_ROWS)
  }

  /** It has been drawn. */
  deepened(lines: Depth['lines']): void {
    this.depth = { history: this.depth.asking ?? this.depth.history, lines, isCut: false, asking: null }
    this.tellWaiting(true)
  }

  notDeepened(): void {
    this.depth = { ...this.depth, asking: null, lines: null } // asking again would end the same way
    this.options.onNote(null)
    this.tellWaiting(false)
  }

  viewed(view: View): void {
    const { deepest, deepen, onNote } = this.options
    const wanted = wantedDepth(this.depth, view, deepest)
    if (wanted !== null) {
      this.depth = { ...this.depth, asking: wanted }
      deepen(wanted)
    }
    onNote(noteFor(this.depth, view, deepest))
    if (view.below > 0) this.stopTimer()
    else if (this.depth.history > USUAL_DEPTH) this.timer ??= setTimeout(() => this.beShallow(), SHALLOW_AFTER_MS)
  }

  private tellWaiting(isDeeper: boolean): void {
    for (const tell of this.waiting.splice(0)) tell(isDeeper)
  }

  private beShallow(): void {
    this.stopTimer()
    this.depth = { ...this.depth, history: USUAL_DEPTH, isCut: true }
    this.options.screen.holdRows(HELD_ROWS)
  }

  private stopTimer(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
