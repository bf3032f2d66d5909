/**
 * Lines that have left a screen's memory, by number: read from the log again, from the newest anchor before them. The answer
 * is the same whether the log is a living holder's or lies on disk, and however often the daemon has died meanwhile.
 */
import type { Collected, Collection } from '../screen/collect.ts'
import type { LineFormat, NumberedLines } from '../screen/numbered.ts'
import type { Screen } from '../screen/screen.ts'
import type { Snapshot } from '../screen/snapshot.ts'
import type { Anchor } from './anchors.ts'
import type { AnchorTrail } from './anchorTrail.ts'
import { segmentsOf } from './oldEntries.ts'
import { type ReplayStart, replay } from './replay.ts'
import type { Source } from './screenMessages.ts'

/** Where an answer would have more than `most` characters, the oldest lines are left out. */
export type LinesAsked = { readonly from: number; readonly to: number; readonly format: LineFormat; readonly most: number }

export type OldLinesOptions = {
  readonly run: string
  readonly source: Source
  readonly directory: string
  readonly trail: AnchorTrail
  /** The living screen, and the seq up to which it has parsed. */
  readonly now: () => { readonly screen: Screen; readonly seq: number }
}

/** `isUnfinished`: the output broke off within a line. */
type Part = { readonly lines: Collected; readonly stoppedAt: number | null; readonly isUnfinished: boolean }

/** Of several questions at once each waits for the one before: memory is for one. */
let busy: Promise<unknown> = Promise.resolve()

export class OldLines {
  /** Lines behind gaps, by seq. */
  private readonly counted = new Map<number, number>()

  constructor(private readonly options: OldLinesOptions) {}

  /** The oldest line that can be read; where that would have to be counted, `guess` is content with one that is not newer. */
  async first({ guess }: { readonly guess: boolean }): Promise<number> {
    const { lines } = this.options.now().screen
    const oldest = await this.oldest()
    if (oldest === 0 || lines.from <= lines.first) return lines.first
    if (oldest === null) return lines.from
    if (guess && !this.counted.has(oldest)) return lines.first
    return Math.max(lines.first, (await this.lineAt(oldest)) + 1) // the log may begin within a line
  }

  /** `from` must not be before `first`. */
  read(asked: LinesAsked): Promise<NumberedLines> {
    const answer = busy.then(() => this.readNow(asked))
    busy = answer.catch(() => undefined)
    return answer
  }

  private async readNow({ to, format, most, ...asked }: LinesAsked): Promise<NumberedLines> {
    let { from } = asked
    let found: string[] = []
    const fillTo = (number: number) => {
      while (from + found.length < number) found.push(blankLine(format, from + found.length))
    }
    let start: ReplayStart | null = await this.startFor(from)
    while (start !== null) {
      const { lines, stoppedAt, isUnfinished } = await this.collect(start, { from: from + found.length, to, format, most })
      if (lines.isCut) [from, found] = [lines.from, []]
      fillTo(lines.from)
      for (const line of lines.lines) found.push(line)
      if (isUnfinished && from + found.length < to) found.pop() // it went on in bytes that are gone
      start = stoppedAt === null ? null : await this.startAfter(stoppedAt)
    }
    fillTo(to) // lines of which the log has lost every byte
    return { from, lines: found }
  }

  private async collect(start: ReplayStart, asked: LinesAsked): Promise<Part> {
    const { run, source } = this.options
    let screen: Screen | null = null
    let collection: Collection | null = null
    let lines: Collected = { from: asked.from, lines: [], isCut: false }
    let isUnfinished = false
    const finish = () => {
      if (collection !== null) lines = collection.finish()
      collection = null
    }
    const stoppedAt = await replay({
      run,
      source,
      start,
      begun: (begun) => {
        screen = begun
        collection = begun.collect(asked)
      },
      isEnough: () => {
        const isEnough = collection?.isComplete === true
        if (isEnough) finish()
        return isEnough
      },
      mayJump: false,
      ended: () => {
        finish()
        isUnfinished = screen !== null && screen.cursor.x > 0
      },
    })
    return { lines, stoppedAt, isUnfinished }
  }

  /** The newest place before the line from which the output can be read again. */
  private async startFor(line: number): Promise<ReplayStart | null> {
    const { trail } = this.options
    const oldest = await this.oldest()
    if (oldest === null) return null
    const reached = trail.anchors.filter(({ seq }) => seq >= oldest)
    const before = await this.firstReadable(reached.filter(({ top }) => top <= line).reverse())
    if (before !== null) return before
    if (oldest === 0) return { kind: 'bare', seq: 0, line: 0 }
    return this.startAfter(oldest)
  }

  private async startAfter(seq: number): Promise<ReplayStart> {
    return { kind: 'bare', seq, line: await this.lineAt(seq) }
  }

  private async firstReadable(anchors: readonly Anchor[]): Promise<ReplayStart | null> {
    for (const anchor of anchors) {
      const snapshot: Snapshot | null = await this.options.trail.read(anchor)
      if (snapshot !== null) return { kind: 'snapshot', seq: anchor.seq, snapshot }
    }
    return null
  }

  /** Null where there is no log. */
  private async oldest(): Promise<number | null> {
    const [oldest] = await segmentsOf(this.options.directory)
    return oldest ?? null
  }

  /** Behind bytes that are gone: counts the lines from there to the next place whose line is known, an anchor or the living screen. */
  private async lineAt(seq: number): Promise<number> {
    const found = this.counted.get(seq)
    if (found !== undefined) return found
    const { run, source, trail, now } = this.options
    const anchor = trail.anchors.find((each) => each.seq > seq)
    const living = now()
    const known = anchor ?? { seq: living.seq, top: living.screen.lines.top }
    let counted = 0
    let screen: Screen | null = null
    await replay({
      run,
      source,
      start: { kind: 'bare', seq, line: 0 },
      until: known.seq,
      begun: (begun) => {
        screen = begun
      },
      isEnough: ({ seq: at }) => {
        counted = screen?.lines.top ?? 0
        return at >= known.seq
      },
      mayJump: true,
      ended: () => undefined,
    })
    const line = Math.max(0, known.top - counted)
    this.counted.set(seq, line)
    return line
  }
}

const blankLine = (format: LineFormat, number: number): string =>
  format === 'json' ? JSON.stringify({ number: number + 1, text: '', spans: [], wrapped: false }) : ''
