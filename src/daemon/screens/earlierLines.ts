/**
 * The lines of a run that has ended, numbered as those before the run that came after it: the line between the two is -1, the
 * last one of the ended run -2. Its screen is there for the reading only. Of a program that used the whole screen, what it
 * showed last stands at the end, although it has no history.
 */
import { type LineFormat, markLine } from '../../screen/lines/numbered.ts'
import { createScreen, type Screen } from '../../screen/screen.ts'
import { decodeSnapshotScreen } from '../../screen/snapshot/snapshotBytes.ts'
import type { EarlierOrder, EarlierReply } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'
import { UNHEARD } from './sessionEvents.ts'

/** Of several questions at once each waits for the one before: memory is for one. */
let busy: Promise<unknown> = Promise.resolve()

export function earlierLines(order: EarlierOrder): Promise<EarlierReply> {
  const answer = busy.then(() => readEarlier(order))
  busy = answer.catch(() => undefined)
  return answer
}

async function readEarlier({ order, mark, isPictureKept, before, count, format }: EarlierOrder): Promise<EarlierReply> {
  let faults: readonly string[] = []
  const session = new ScreenSession(order, { ...UNHEARD, damaged: (found) => (faults = found) })
  try {
    await session.start()
    const { end } = session.screen.lines
    const tail = [...(await lastPicture(session.screen, { order, isPictureKept, format })), markLine(mark, format)]
    const after = end + tail.length // as the run itself counts, the line that the next one begins with
    const to = Math.min(before, 0) + after
    const wanted = tail.slice(Math.max(0, to - count - end), Math.max(0, to - end))
    const { first, lines } = await session.history.page({ before: Math.min(to, end), count: count - wanted.length, format })
    const all = [...lines, ...wanted]
    const from = Math.min(to, after) - all.length - after
    return { oldest: Math.min(first, end) - after, from, lines: format === 'json' ? renumbered(all, from) : all, faults }
  } finally {
    session.close()
  }
}

type Sought = Pick<EarlierOrder, 'order' | 'isPictureKept' | 'format'>

/** Nothing where it was in the history already. */
async function lastPicture(screen: Screen, { order, isPictureKept, format }: Sought): Promise<readonly string[]> {
  const shown = pictureLines(screen, format)
  const kept = order.snapshot === null || !isPictureKept ? null : decodeSnapshotScreen(order.snapshot.bytes)
  if (shown.length > 0 || kept === null) return shown
  const then = createScreen({ cols: kept.cols, rows: kept.rows, scrollback: 0 })
  try {
    await then.restore(kept)
    return pictureLines(then, format)
  } finally {
    then.dispose()
  }
}

/** The rows of an alternate screen, without the blank ones at its end. */
function pictureLines(screen: Screen, format: LineFormat): readonly string[] {
  const { alternate, lines } = screen.json({ history: 0 })
  const rows = lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1)
  if (!alternate || rows.length === 0) return []
  switch (format) {
    case 'text':
      return rows.map(({ text }) => text)
    case 'ansi':
      return screen.ansi({ history: 0 }).split('\n').slice(0, rows.length)
    case 'html':
      return screen
        .html({ history: 0 })
        .replace(/^<pre[^>]*>|<\/pre>$/g, '')
        .split('\n')
        .slice(0, rows.length)
    case 'json':
      return rows.map((row) => JSON.stringify({ ...row, wrapped: false }))
  }
}

/** People count a run's lines from 1. */
const renumbered = (lines: readonly string[], from: number): readonly string[] =>
  lines.map((line, index) => JSON.stringify({ ...(JSON.parse(line) as object), number: from + index + 1 }))
