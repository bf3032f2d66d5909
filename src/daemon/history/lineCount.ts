/**
 * Which line the output continues with where lines cannot be counted from the run's first: at the beginning of a log that has
 * lost its oldest part, and behind bytes that are gone. It is counted back from the next place whose line is known: an
 * anchor, the moment the screen began with, or the screen as it is now. Where that is only behind further bytes that are
 * gone, it may still remember the lines, and so their numbers.
 */
import type { NumberedLines } from '../../screen/lines/numbered.ts'
import type { Screen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import type { Anchor } from './anchors.ts'
import type { AnchorTrail, Known } from './anchorTrail.ts'
import { type Gap, onScreen, type ReplayStart, replay } from './replay.ts'
import type { Source } from './source.ts'

export type LineCountOptions = {
  readonly run: string
  readonly source: Source
  readonly trail: AnchorTrail
  /** The living screen, and the seq up to which it has parsed. */
  readonly now: () => { readonly screen: Screen; readonly seq: number }
}

/** How the output continues behind a gap: with a line of this number, or as an anchor knows it. */
export type Behind = { readonly line: number } | { readonly anchor: Anchor }

/** `from` is the oldest line that is remembered there. */
type KnownLine = Known & { readonly from: number; readonly anchor: Anchor | null }
/** Lines between two gaps. The first of them is not compared: it may be the rest of another. */
type Stretch = NumberedLines & { readonly first: number; readonly cursor: number }
type Counted = { readonly place: KnownLine; readonly lines: number; readonly isThere: boolean }

/** Characters: more than any screen remembers need not be compared. */
const MOST_COMPARED = 1 << 20

export class LineCount {
  private readonly firsts = new Map<number, number>()
  private readonly behinds = new Map<number, Behind>()

  constructor(private readonly options: LineCountOptions) {}

  /** Whether `at` need not count. */
  knows(oldest: number): boolean {
    return this.firsts.has(oldest)
  }

  /** The line at the oldest seq there is. */
  async at(oldest: number): Promise<number> {
    const known = this.firsts.get(oldest)
    if (known !== undefined) return known
    const start = { kind: 'bare', seq: oldest, line: 0 } as const
    const counted = await this.count(start, { overGaps: false })
    const line = counted === null ? await this.acrossGaps(start) : counted.place.cursor - counted.lines
    this.firsts.set(oldest, Math.max(0, line))
    return Math.max(0, line)
  }

  /** If no anchor remembers the lines, their number is unknown and counts as none. All are older than what is remembered. */
  private async acrossGaps(start: ReplayStart): Promise<number> {
    const passed = await this.countOverGaps(start)
    const remembered = await this.remembered(start, passed)
    return remembered?.line ?? (passed === null ? 0 : passed.place.from - passed.lines)
  }

  private async countOverGaps(start: ReplayStart): Promise<Counted | null> {
    const { trail } = this.options
    if (trail.begun.seq > start.seq) await trail.leaveBegun() // it would be forgotten, and the lines had other numbers then
    return this.count(start, { overGaps: true })
  }

  /** `shown` is what was shown before the gap. Null if no line is known up to the next gap: then none counts as missing. */
  async behind(gap: Gap, shown: Snapshot): Promise<Behind | null> {
    const known = this.behinds.get(gap.to)
    if (known !== undefined) return known
    const start = { kind: 'behind', seq: gap.to, snapshot: shown } as const
    const counted = await this.count(start, { overGaps: false })
    const behind = counted === null ? await this.remembered(start, await this.countOverGaps(start)) : behindOf(counted)
    if (behind !== null) this.behinds.set(gap.to, behind)
    return behind
  }

  /** By what the next known place remembers of the lines up to the next gap. */
  private async remembered(start: ReplayStart, passed: Counted | null): Promise<{ readonly line: number } | null> {
    const { trail } = this.options
    const stretch = await this.linesFrom(start)
    const newest = passed === null ? Number.POSITIVE_INFINITY : passed.place.cursor - passed.lines // what is missing only adds to them
    const anchors = trail.anchors.filter(({ seq }) => seq > start.seq)
    const begun = anchors.find(({ seq }) => seq === trail.begun.seq)
    for (const anchor of [anchors[0], begun]) {
      const snapshot = anchor === undefined ? null : await trail.read(anchor)
      const line = snapshot === null || stretch === null ? null : lineIn(await linesOf(snapshot), stretch, newest)
      if (line !== null) return { line }
    }
    return null
  }

  /** The lines from there to the next gap, or to the end. */
  private async linesFrom(start: ReplayStart): Promise<Stretch | null> {
    const { run, source } = this.options
    let stretch: Stretch | null = null
    let finish = (): void => undefined
    await replay({
      run,
      source,
      start,
      begun: (screen) => {
        const first = screen.lines.cursor
        const collection = screen.collect({ from: first + 1, to: Number.POSITIVE_INFINITY, format: 'text', most: MOST_COMPARED })
        finish = () => {
          stretch = { ...collection.finish(), first, cursor: screen.lines.cursor }
        }
      },
      isEnough: () => false,
      goesOn: () => {
        finish()
        return Promise.resolve(false)
      },
      ended: () => finish(), // what is known may be beyond the end of a log
    })
    return stretch
  }

  /** The lines from there to the next known place. Null where there is none, or not before the next gap. */
  private async count(start: ReplayStart, { overGaps }: { readonly overGaps: boolean }): Promise<Counted | null> {
    const { run, source } = this.options
    const place = await this.nextKnown(start.seq)
    if (place === null) return null
    let lines: (() => number) | null = null
    let pieces = 0
    let counted: Counted | null = null
    const finish = (): void => {
      counted = { place, lines: lines?.() ?? 0, isThere: pieces === 0 }
    }
    await replay({
      run,
      source,
      start,
      until: place.seq,
      begun: (screen) => {
        const first = screen.lines.cursor
        lines = () => screen.lines.cursor - first
      },
      isEnough: ({ seq }) => {
        if (seq >= place.seq) finish()
        else pieces += 1
        return seq >= place.seq
      },
      goesOn: () => Promise.resolve(overGaps),
      ended: () => overGaps && finish(),
    })
    return counted
  }

  private async nextKnown(seq: number): Promise<KnownLine | null> {
    const { trail, now } = this.options
    const { begun } = trail
    const isBegunAhead = begun.seq >= seq
    for (const anchor of trail.anchors) {
      if (anchor.seq < seq) continue
      if (isBegunAhead && begun.seq < anchor.seq) break
      const snapshot = await trail.read(anchor)
      if (snapshot !== null) return { seq: anchor.seq, cursor: await cursorOf(snapshot), from: anchor.from, anchor }
    }
    if (isBegunAhead) return { ...begun, from: begun.cursor, anchor: null }
    const living = now()
    if (living.seq < seq) return null
    return { seq: living.seq, cursor: living.screen.lines.cursor, from: living.screen.lines.from, anchor: null }
  }
}

/** An anchor that remembers the first line behind the gap knows it whole, and may know lines of the gap as well. */
function behindOf({ place, lines, isThere }: Counted): Behind {
  const line = place.cursor - lines
  return place.anchor !== null && (isThere || place.from <= line) ? { anchor: place.anchor } : { line }
}

/**
 * The number of the first line of a stretch whose last lines a snapshot remembers. Of several numbers that it may have
 * had, the newest: there most lines are the same. It is never before what came before it, nor beyond `newest`.
 */
function lineIn(remembered: NumberedLines, { first, from, lines, cursor }: Stretch, newest: number): number | null {
  const isUnfinished = (index: number): boolean => from + index === cursor
  const isSame = (text: string, index: number, number: number): boolean => {
    const there = remembered.lines[number - remembered.from] ?? ''
    return isUnfinished(index) ? there.startsWith(text) : there === text
  }
  if (lines.length === 0) return null
  const end = remembered.from + remembered.lines.length
  for (let last = end - 1; last >= Math.max(remembered.from, from + lines.length - 1); last--) {
    const begin = last - (lines.length - 1)
    const line = begin - (from - first)
    if (line > newest) continue
    const isIn = (index: number): boolean => begin + index >= remembered.from
    const isEvidence = lines.some((text, index) => isIn(index) && text !== '' && !isUnfinished(index)) // a few letters begin many lines
    if (isEvidence && lines.every((text, index) => !isIn(index) || isSame(text, index, begin + index))) return line
  }
  return null
}

const cursorOf = (snapshot: Snapshot): Promise<number> => onScreen(snapshot, ({ lines }) => lines.cursor)

const linesOf = (snapshot: Snapshot): Promise<NumberedLines> =>
  onScreen(snapshot, (screen) => screen.numbered({ from: 0, to: screen.lines.cursor + 1, format: 'text' }))
