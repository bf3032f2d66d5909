/**
 * Which line the output goes on with where it cannot be counted from the run's first: at the beginning of a log that has
 * lost its oldest part, and behind bytes that are gone. It is counted back from the next place whose line is known: an
 * anchor, the moment the screen began with, or the screen as it is now.
 */
import { createScreen, type Screen } from '../screen/screen.ts'
import type { Snapshot } from '../screen/snapshot.ts'
import type { Anchor } from './anchors.ts'
import type { AnchorTrail, Known } from './anchorTrail.ts'
import { type Gap, type ReplayStart, replay } from './replay.ts'
import type { Source } from './screenMessages.ts'

export type LineCountOptions = {
  readonly run: string
  readonly source: Source
  readonly trail: AnchorTrail
  /** The living screen, and the seq up to which it has parsed. */
  readonly now: () => { readonly screen: Screen; readonly seq: number }
}

/** How the output goes on behind a gap: with a line of this number, or as an anchor knows that was left just there. */
export type Behind = { readonly line: number } | { readonly anchor: Anchor }

type Place = Known & { readonly anchor: Anchor | null }
type Counted = { readonly place: Place; readonly lines: number; readonly isThere: boolean }

export class LineCount {
  private readonly firsts = new Map<number, number>()
  private readonly behinds = new Map<number, Behind>()

  constructor(private readonly options: LineCountOptions) {}

  /** Whether `at` need not count. */
  knows(oldest: number): boolean {
    return this.firsts.has(oldest)
  }

  /** The line at the oldest seq there is. Of lines that are missing in between nobody knows how many they were: they count as none. */
  async at(oldest: number): Promise<number> {
    const known = this.firsts.get(oldest)
    if (known !== undefined) return known
    const counted = await this.count({ kind: 'bare', seq: oldest, line: 0 }, { overGaps: true })
    const line = counted === null ? 0 : Math.max(0, counted.place.cursor - counted.lines)
    this.firsts.set(oldest, line)
    return line
  }

  /** `shown` is what was shown before the gap. Null where nobody has known a line before the next gap: then none is missing. */
  async behind(gap: Gap, shown: Snapshot): Promise<Behind | null> {
    const known = this.behinds.get(gap.to)
    if (known !== undefined) return known
    const counted = await this.count({ kind: 'behind', seq: gap.to, snapshot: shown }, { overGaps: false })
    if (counted === null) return null
    const { place, lines, isThere } = counted
    const behind = isThere && place.anchor !== null ? { anchor: place.anchor } : { line: place.cursor - lines }
    this.behinds.set(gap.to, behind)
    return behind
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

  private async nextKnown(seq: number): Promise<Place | null> {
    const { trail, now } = this.options
    const { begun } = trail
    const isBegunAhead = begun.seq >= seq
    for (const anchor of trail.anchors) {
      if (anchor.seq < seq) continue
      if (isBegunAhead && begun.seq < anchor.seq) break
      const snapshot = await trail.read(anchor)
      if (snapshot !== null) return { seq: anchor.seq, cursor: await cursorOf(snapshot), anchor }
    }
    if (isBegunAhead) return { ...begun, anchor: null }
    const living = now()
    if (living.seq < seq) return null
    return { seq: living.seq, cursor: living.screen.lines.cursor, anchor: null }
  }
}

async function cursorOf(snapshot: Snapshot): Promise<number> {
  const screen = createScreen(snapshot)
  await screen.restore(snapshot)
  const { cursor } = screen.lines
  screen.dispose()
  return cursor
}
