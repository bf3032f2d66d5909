/** Leaves anchors behind a screen while it passes a run's output, and removes those that the log no longer reaches. */
import type { Screen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { trip } from '../base/trip.ts'
import { type Anchor, dropAnchor, dropUnfinished, listAnchors, readAnchor, writeAnchor } from './anchors.ts'
import { onScreen } from './replay.ts'
import { segmentsOf } from './source.ts'

/** A window that grows finds this many rows above the screen, as the screen did that left the anchor. */
const HISTORY_ROWS = 300
/** Anchors are written at most this often, however fast output comes; those that the log has dropped meanwhile are never written. */
const WRITE_EVERY_MS = 1_000
/** As often a full disk is tried again: the first anchor behind what was lost then tells which line it is. */
const WRITE_AGAIN_MS = 3_000
/** A snapshot takes a millisecond or two: in a flood no more than a small part of the time goes into them. */
const LEAVE_EVERY_MS = 20
/** More than the log can span; older ones are of no use by then. */
const MOST_UNWRITTEN = 24

export type TrailOptions = {
  readonly directory: string
  /** Bytes of output between two anchors. */
  readonly every: number
  readonly screen: Screen
  readonly trouble: (why: string) => void
}

/** A seq of which is known in which line the cursor was there. */
export type Known = { readonly seq: number; readonly cursor: number }

export type Beginning = { readonly from: number; readonly end: number; readonly snapshot: () => Snapshot | null }

type Left = { readonly anchor: Anchor; readonly snapshot: Snapshot }

export class AnchorTrail {
  /** Where the screen began. */
  begun: Known = { seq: 0, cursor: 0 }
  private beganWith: () => Snapshot | null = () => null
  private kept: readonly Anchor[] = []
  private unwritten: Left[] = []
  /** None is left before the trail has begun. */
  private next = Number.POSITIVE_INFINITY
  private notBefore = 0
  private writing: Promise<void> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined
  private isFailing = false

  constructor(private readonly options: TrailOptions) {}

  /**
   * The screen shows the run at `from`, and began with the snapshot if that was kept. The log ends at `end`: anchors beyond are
   * of bytes that a power cut took.
   */
  async begin({ from, end, snapshot }: Beginning): Promise<void> {
    const { directory, every, screen } = this.options
    this.beganWith = snapshot
    this.begun = { seq: from, cursor: screen.lines.cursor }
    await dropUnfinished(directory)
    const found = await listAnchors(directory)
    const [oldest = 0] = await segmentsOf(directory)
    this.kept = found.filter(({ seq }) => seq >= oldest && seq <= end)
    await Promise.all(found.filter((anchor) => !this.kept.includes(anchor)).map((anchor) => dropAnchor(directory, anchor)))
    this.next = Math.max(from, this.kept.at(-1)?.seq ?? 0) + every
  }

  /** Before output is parsed from `seq` on: every resize until there has happened. */
  passing(seq: number): void {
    if (seq >= this.next && performance.now() >= this.notBefore) this.leave(seq)
  }

  /** The same before and behind bytes that are gone: lines cannot be counted across them, so both anchors are written. */
  passingGap(seq: number): void {
    const hasBegun = this.next < Number.POSITIVE_INFINITY
    if (hasBegun && !this.anchors.some((anchor) => anchor.seq === seq)) this.leave(seq)
  }

  private leave(seq: number): void {
    const { screen, every } = this.options
    if (!screen.atSafeCut) return
    this.next = seq + every
    this.notBefore = performance.now() + LEAVE_EVERY_MS
    const { rows, from } = screen.lines.wholeRows(HISTORY_ROWS)
    const snapshot = screen.snapshot({ history: rows })
    this.unwritten = [...this.unwritten, { anchor: { seq, from, top: snapshot.lines.top }, snapshot }].slice(-MOST_UNWRITTEN)
    this.timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS).unref()
  }

  /** What the screen began with becomes an anchor, if it is none yet. */
  async leaveBegun(): Promise<void> {
    const { seq } = this.begun
    const snapshot = this.anchors.some((anchor) => anchor.seq === seq) ? null : this.beganWith()
    if (snapshot !== null) await this.leaveKept({ seq, snapshot })
  }

  /** A snapshot that was kept becomes an anchor: it knows which line it was there, also when a newer one is kept. */
  async leaveKept({ seq, snapshot }: { readonly seq: number; readonly snapshot: Snapshot }): Promise<void> {
    const { directory } = this.options
    const anchor = { seq, from: await onScreen(snapshot, ({ lines }) => lines.from), top: snapshot.lines.top }
    const isWritten = await writeAnchor(directory, anchor, snapshot).then(
      () => true,
      () => false, // no room: it stays unknown
    )
    if (isWritten) this.kept = [...this.kept, anchor].sort((a, b) => a.seq - b.seq)
  }

  onDisk(): Promise<readonly Anchor[]> {
    return listAnchors(this.options.directory)
  }

  /** Oldest first, those not yet written included. */
  get anchors(): readonly Anchor[] {
    return [...this.kept, ...this.unwritten.map(({ anchor }) => anchor)]
  }

  read(anchor: Anchor): Promise<Snapshot | null> {
    const left = this.unwritten.find((each) => each.anchor.seq === anchor.seq)
    return left === undefined ? readAnchor(this.options.directory, anchor) : Promise.resolve(left.snapshot)
  }

  /** What is left to be written is written. */
  close(): Promise<void> {
    return this.write()
  }

  private write(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.writing.then(() => this.writeLeft())
    return this.writing
  }

  private async writeLeft(): Promise<void> {
    const { directory, trouble } = this.options
    const [oldest] = await segmentsOf(directory)
    try {
      for (let left = this.unwritten[0]; left !== undefined; left = this.unwritten[0]) {
        const { anchor, snapshot } = left
        const isReached = oldest !== undefined && anchor.seq >= oldest
        if (isReached) await writeAnchor(directory, anchor, snapshot)
        if (isReached) this.kept = [...this.kept, anchor]
        this.unwritten = this.unwritten.filter((each) => each !== left)
      }
      this.isFailing = false
    } catch (error) {
      this.unwritten = this.unwritten.slice(-1) // a full disk must not fill the memory too
      if (!this.isFailing) trouble(`its older history will be slow to read: ${(error as Error).message}`)
      this.isFailing = true
      this.timer ??= setTimeout(() => void this.write(), WRITE_AGAIN_MS).unref()
    }
    await this.dropBefore(oldest ?? 0)
  }

  private async dropBefore(oldest: number): Promise<void> {
    const { directory } = this.options
    const gone = this.kept.filter(({ seq }) => seq < oldest)
    this.kept = this.kept.filter(({ seq }) => seq >= oldest)
    for (const anchor of gone) {
      trip('anchor:before-drop')
      await dropAnchor(directory, anchor)
    }
  }
}
