/**
 * Lines that have left a screen's memory, by number: read from the log again, from the newest anchor before them. The answer
 * is the same whether the log is a living holder's or lies on disk, and however often the daemon has died meanwhile. Lines
 * behind bytes that are gone keep the numbers they had; those that were in these bytes are blank, but for what an anchor knows.
 */
import { utf8Encode } from '../../base/utf8.ts'
import type { Collected, Collection } from '../../screen/lines/collect.ts'
import type { LineFormat, NumberedLines } from '../../screen/lines/numbered.ts'
import type { Screen } from '../../screen/screen.ts'
import type { Anchor } from './anchors.ts'
import { LineCount, type LineCountOptions } from './lineCount.ts'
import { type Gap, type ReplayStart, replay } from './replay.ts'
import { endOf, readRunLog } from './runLog.ts'
import { segmentsOf } from './source.ts'

/** Where an answer would have more than `most` characters, the oldest lines are left out. */
export type LineRange = { readonly from: number; readonly to: number; readonly format: LineFormat; readonly most: number }

export type OldLinesOptions = LineCountOptions & { readonly directory: string }

/** `gaps` are those between the lines. */
export type LinesRead = NumberedLines & { readonly gaps: readonly Gap[] }

/** A start, and the oldest line that it knows without the log. */
type Start = ReplayStart & { readonly from: number }

/** `isUnfinished`: the output broke off within the last line. `reached` is how far it had to be read. `next` is where to go on. */
type Part = {
  readonly lines: Collected
  readonly isUnfinished: boolean
  readonly reached: { readonly seq: number; readonly line: number }
  readonly gaps: readonly Gap[]
  readonly next: Start | null
}

/** What was shown before lines that are gone is not above what comes after them. */
const ERASE_SCREEN = utf8Encode('\r\x1b[2J')

/** Of several questions at once each waits for the one before: memory is for one. */
let busy: Promise<unknown> = Promise.resolve()

export class OldLines {
  private readonly count: LineCount

  constructor(private readonly options: OldLinesOptions) {
    this.count = new LineCount(options)
  }

  /** The oldest line that can be read. With `mayGuess` an older number will do where the exact one would have to be counted. */
  async first({ mayGuess }: { readonly mayGuess: boolean }): Promise<number> {
    const { lines } = this.options.now().screen
    const oldest = await this.oldest()
    if (oldest === 0 || lines.from <= lines.first) return lines.first
    if (oldest === null) return lines.from
    if (mayGuess && !this.count.knows(oldest)) return lines.first
    const inLog = (await this.count.at(oldest)) + 1 // it may begin within a line
    return Math.min(lines.from, Math.max(lines.first, inLog))
  }

  /** `from` must not be before `first`. */
  read(asked: LineRange): Promise<LinesRead> {
    const answer = busy.then(() => this.readNow(asked))
    busy = answer.catch(() => undefined)
    return answer
  }

  private async readNow({ to, format, most, ...asked }: LineRange): Promise<LinesRead> {
    let { from } = asked
    let found: string[] = []
    const gaps: Gap[] = []
    const fillTo = (number: number) => {
      while (from + found.length < Math.min(number, to)) found.push(blankLine(format, from + found.length))
    }
    let reached = { seq: 0, line: 0 }
    let start = await this.startFor(from)
    while (start !== null) {
      found.length = Math.min(found.length, Math.max(0, start.from - from)) // what comes now knows better
      const part: Part = await this.collect(start, { from: from + found.length, to, format, most })
      const { lines } = part
      if (lines.isCut) [from, found] = [lines.from, []]
      fillTo(lines.from)
      for (const line of lines.lines) found.push(line)
      if (part.isUnfinished) found.pop() // it went on in bytes that are gone
      for (const gap of part.gaps) addGap(gaps, gap)
      reached = part.reached
      start = part.next
    }
    const known = found.length
    fillTo(to) // lines of which the log has lost every byte
    const isFilled = found.length > known
    if (isFilled || reached.line <= to) {
      const lost = { from: this.endOfLog(), to: this.options.trail.begun.seq }
      const isAtEnd = reached.seq >= lost.from && lost.from < lost.to // how many lines are missing may be unknown
      if (isFilled || isAtEnd) addGap(gaps, lost)
    }
    const oldest = (await this.oldest()) ?? 0
    return { from, lines: found, gaps: gaps.filter((gap) => gap.to > oldest) } // what the log has dropped meanwhile is no gap
  }

  private async collect(start: Start, asked: LineRange): Promise<Part> {
    const { run, source } = this.options
    let screen: Screen | null = null
    let collection: Collection | null = null
    let lines: Collected = { from: asked.from, lines: [], isCut: false }
    let isUnfinished = false
    let reached = { seq: start.seq, line: start.from }
    let next: Start | null = null
    const gaps: Gap[] = []
    const finish = () => {
      if (collection === null) return
      lines = collection.finish()
      collection = null
    }
    const breakOff = () => {
      finish()
      isUnfinished = screen !== null && isWithin(screen, lines)
    }
    await replay({
      run,
      source,
      start,
      begun: (begun) => {
        screen = begun
        collection = begun.collect(asked)
      },
      isEnough: ({ seq }) => {
        reached = { seq, line: screen?.lines.cursor ?? start.from }
        const isEnough = collection?.isComplete === true
        if (isEnough) finish()
        return isEnough
      },
      goesOn: async (gap) => {
        if (screen === null) return true
        gaps.push(gap)
        const found = await this.startBehind(gap, screen)
        if (found === null) return true
        breakOff()
        next = 'line' in found ? await renumbered(screen, gap.to, found.line) : found
        return false
      },
      ended: breakOff,
    })
    return { lines, isUnfinished, reached, gaps, next }
  }

  /** The newest place before the line from which the output can be read again. */
  private async startFor(line: number): Promise<Start | null> {
    const { trail } = this.options
    const oldest = await this.oldest()
    if (oldest === null) return null
    const before = trail.anchors.filter(({ seq, top }) => seq >= oldest && top <= line)
    for (const anchor of before.reverse()) {
      const start = await this.startAt(anchor)
      if (start !== null) return start
    }
    const first = oldest === 0 ? 0 : await this.count.at(oldest)
    return { kind: 'bare', seq: oldest, line: first, from: first }
  }

  /** Where it continues behind a gap: an anchor in it or just behind it, or a line of this number. Null: as if nothing were missing. */
  private async startBehind(gap: Gap, screen: Screen): Promise<Start | { readonly line: number } | null> {
    for (const anchor of this.options.trail.anchors) {
      const start = anchor.seq > gap.from && anchor.seq < gap.to ? await this.startAt(anchor) : null
      if (start !== null) return start
    }
    const behind = await this.count.behind(gap, screen.snapshot({ history: 0 }))
    if (behind === null) return null
    if ('anchor' in behind) return this.startAt(behind.anchor)
    return behind.line === screen.lines.cursor ? null : behind
  }

  /** Null where the anchor cannot be used. */
  private async startAt(anchor: Anchor): Promise<Start | null> {
    const snapshot = await this.options.trail.read(anchor)
    return snapshot === null ? null : { kind: 'snapshot', seq: anchor.seq, snapshot, from: anchor.from }
  }

  /** Only a log on disk ends before what its screen knows: a power cut, or a file that was cut off. */
  private endOfLog(): number {
    const { run, directory } = this.options
    return endOf(readRunLog({ run, directory }).records)
  }

  /** Nothing older than what is in memory can be read, though there was something. */
  async isGone(): Promise<boolean> {
    const { lines } = this.options.now().screen
    return lines.from > lines.first && (await this.oldest()) === null
  }

  /** Null where there is no log. */
  private async oldest(): Promise<number | null> {
    const [oldest] = await segmentsOf(this.options.directory)
    return oldest ?? null
  }
}

/** The modes of what was shown before a gap, with its cursor in a line of this number, and nothing of its text. */
async function renumbered(screen: Screen, seq: number, line: number): Promise<Start> {
  await screen.feed(ERASE_SCREEN)
  const { first, top, cursor } = screen.lines
  const lines = { first: Math.min(first, line), top: top + line - cursor, whole: false }
  return { kind: 'behind', seq, snapshot: { ...screen.snapshot({ history: 0 }), lines }, from: line }
}

/** A gap that is found again from an anchor within it, or continues where another ends, is the same gap. */
function addGap(gaps: Gap[], gap: Gap): void {
  const last = gaps.at(-1)
  if (last === undefined || gap.from > last.to) gaps.push(gap)
  else gaps[gaps.length - 1] = { from: last.from, to: gap.to }
}

/** Whether the cursor is within the last of the lines. */
const isWithin = ({ cursor, lines: { cursor: line } }: Screen, { from, lines }: Collected): boolean =>
  cursor.x > 0 && lines.length > 0 && from + lines.length - 1 === line

const blankLine = (format: LineFormat, number: number): string =>
  format === 'json' ? JSON.stringify({ number: number + 1, text: '', spans: [], wrapped: false }) : ''
