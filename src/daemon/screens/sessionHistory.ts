/** The lines of a session's run, wherever they are: in its screen's memory, or in the log. */

import type { ScreenJson } from '../../screen/cells/formats.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import type { Screen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { AnchorTrail } from '../history/anchorTrail.ts'
import { type LinesRead, OldLines } from '../history/oldLines.ts'
import { missingBytes } from '../history/runLog.ts'
import { type Source, segmentsOf } from '../history/source.ts'
import type { FinishedReply, NewestReply, PageReply, ReadReply } from './screenMessages.ts'

/** Characters in one answer: well within a frame in any encoding. A client that wants more asks again. */
const MOST_CHARACTERS = 8 << 20

export type Start = { readonly seq: number; readonly snapshot: Snapshot }

export type SessionHistoryOptions = {
  readonly run: string
  readonly source: Source
  readonly directory: string
  readonly anchorEvery: number
  readonly screen: Screen
  /** The seq up to which the screen has parsed. */
  readonly seq: () => number
  readonly trouble: (why: string) => void
}

type OlderRange = { readonly before: number; readonly count: number; readonly format: LineFormat; readonly mayGuess: boolean }
type Older = Omit<PageReply, 'end'> & Pick<LinesRead, 'gaps'>

export class SessionHistory {
  readonly trail: AnchorTrail
  private readonly old: OldLines
  private readonly screen: Screen

  constructor(private readonly options: SessionHistoryOptions) {
    const { run, source, directory, anchorEvery: every, screen, seq, trouble } = options
    this.screen = screen
    this.trail = new AnchorTrail({ directory, every, screen, trouble })
    this.old = new OldLines({ run, source, directory, trail: this.trail, now: () => ({ screen, seq: seq() }) })
  }

  /**
   * The newest moment to begin a screen with, of those that the log continues from: what was kept, or an anchor. Null: the
   * log's first byte. Where bytes of the log are gone, an anchor behind them knows how it looked and which line it was.
   */
  async startFrom(kept: Start | null, end: number): Promise<Start | null> {
    const [oldest = 0] = await segmentsOf(this.options.directory)
    const anchors = await this.trail.onDisk()
    for (const anchor of anchors.toReversed()) {
      if (anchor.seq > end || anchor.seq < oldest || anchor.seq <= (kept?.seq ?? 0)) continue
      const snapshot = await this.trail.read(anchor)
      if (snapshot === null) continue
      if (kept !== null && kept.seq >= oldest && !anchors.some(({ seq }) => seq === kept.seq)) await this.trail.leaveKept(kept)
      return { seq: anchor.seq, snapshot }
    }
    return kept
  }

  async page({ before, count, format }: { before: number | null; count: number; format: LineFormat }): Promise<PageReply> {
    const { lines } = this.screen
    const { end, from: kept } = lines
    const to = Math.min(before ?? end, end)
    const here = this.screen.numbered({ from: Math.max(kept, to - count), to, format })
    const older = await this.older({ before: Math.min(kept, to), count: count - here.lines.length, format, mayGuess: false })
    const all = to > older.first ? withinMost([...older.lines, ...here.lines]) : []
    return { first: older.first, end, from: Math.max(to, older.first) - all.length, lines: all }
  }

  async read({ history, format }: { history: number | 'all'; format: LineFormat }): Promise<ReadReply> {
    const { lines } = this.screen
    const memory = lines.wholeRows(Number.POSITIVE_INFINITY)
    const isHere = history !== 'all' && history <= memory.rows
    const { rows, from } = isHere ? { rows: history, from: lines.wholeRows(history).from } : memory
    const count = isHere ? 0 : history === 'all' ? Number.POSITIVE_INFINITY : history - rows
    const here = this.readScreen(rows, format) // before waiting: the screen moves on
    const older = await this.older({ before: from, count, format, mayGuess: isHere })
    const gone = count > 0 && (await this.old.isGone()) ? ['its log is gone: only its last screen is left'] : []
    const faults = [...older.gaps.map(missingBytes), ...gone]
    const rest = older.from <= older.first ? Math.max(0, count - older.lines.length) : 0
    return { content: joined(older.lines, here), lines: { first: older.first, from: older.from }, faults, rest }
  }

  /** Lines older than those in memory. With a count of 0, a guess of the first line may do. */
  async older({ before, count, format, mayGuess }: OlderRange): Promise<Older> {
    const first = await this.old.first({ mayGuess: mayGuess && count <= 0 })
    const from = Math.max(first, before - Math.max(0, count))
    if (from >= before || count <= 0) return { first, from: before, lines: [], gaps: [] }
    const { lines, gaps } = await this.old.read({ from, to: before, format, most: MOST_CHARACTERS })
    return { first, from: before - lines.length, lines, gaps }
  }

  /** Lines that have left the screen will not change any more; of a run that has ended, none will. */
  async finished({ from, count, ended }: { from: number; count: number; ended: boolean }): Promise<FinishedReply> {
    const first = await this.old.first({ mayGuess: false })
    const { lines } = this.screen
    const until = ended ? lines.end : Math.min(lines.top, lines.end)
    const begin = Math.max(Math.min(from, until), first)
    const to = Math.min(until, begin + count)
    const isReplayed = begin < lines.from
    const read = isReplayed
      ? await this.old.read({ from: begin, to: Math.min(to, lines.from), format: 'text', most: MOST_CHARACTERS })
      : this.screen.numbered({ from: begin, to, format: 'text' })
    return { first, from: read.from, until, lines: read.lines, isReplayed }
  }

  newest({ from }: { from: number }): NewestReply {
    const { lines } = this.screen
    const until = Math.min(lines.top, lines.end)
    const here = this.screen.numbered({ from: Math.max(from, lines.from), to: lines.end, format: 'text' })
    const shown = this.screen.json({ history: 0 })
    return { from: here.from, until, lines: here.lines, alternate: shown.alternate ? shown.lines.map(({ text }) => text) : null }
  }

  private readScreen(history: number, format: LineFormat): Here {
    switch (format) {
      case 'text':
        return { format, content: this.screen.text({ history }) }
      case 'ansi':
        return { format, content: this.screen.ansi({ history }) }
      case 'html':
        return { format, content: this.screen.html({ history }) }
      case 'json':
        return { format, content: this.screen.json({ history }) }
    }
  }
}

type Here =
  | { readonly format: 'text' | 'ansi' | 'html'; readonly content: string }
  | { readonly format: 'json'; readonly content: ScreenJson }

/** Older lines above what is there already, in the same format. */
export const joinedContent = (older: readonly string[], content: string, format: LineFormat): string =>
  joined(older, format === 'json' ? { format, content: JSON.parse(content) as ScreenJson } : { format, content })

function joined(older: readonly string[], here: Here): string {
  switch (here.format) {
    case 'text':
    case 'ansi':
      return here.content === '' ? older.join('\n').trimEnd() : [...older, here.content].join('\n')
    case 'html':
      return here.content.replace('>', (end) => `${end}${older.map((line) => `${line}\n`).join('')}`) // into the element
    case 'json': {
      const { content } = here
      const lines = [...older.map((line) => JSON.parse(line) as ScreenJson['lines'][number]), ...content.lines]
      return JSON.stringify({ ...content, historyLines: content.historyLines + older.length, lines })
    }
  }
}

function withinMost(lines: readonly string[]): readonly string[] {
  let from = lines.length
  for (let length = 0; from > 0; from--) {
    length += lines[from - 1]?.length ?? 0
    if (length > MOST_CHARACTERS && from < lines.length) break
  }
  return lines.slice(from)
}
