/**
 * The lines from before a wake, above those of the run. A client that asks for more lines than a run has gets those of the run
 * before it, with a marked line between. They are joined here and nowhere else: a run's own screen, log, index and waits know
 * nothing of them. Only one run back, and only if its log is still on disk.
 */
import { existsSync } from 'node:fs'
import type { RunId } from '../../base/ids.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { joinBytes } from '../../screen/engine/safeCut.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import type { Paths } from '../../wire/paths.ts'
import { runDirectory } from '../../wire/paths.ts'
import { beforeWords } from '../../workspace/terminal/beforeWake.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { BEFORE_FILE, readRunBefore } from '../history/runBefore.ts'
import { readRunEnd } from '../history/runLog.ts'
import { segmentsOf } from '../history/source.ts'
import type { EarlierReply, PageReply, PaintReply, ReadReply, SessionOrder } from './screenMessages.ts'
import type { Screens } from './screens.ts'
import { joinedContent } from './sessionHistory.ts'

/** `oldest`: the lowest number there is, of the run before. It is -1 until a client has asked for that; left out if there is no line of it. */
export type WithOldest<Reply extends { readonly first: number }> = Reply & { readonly oldest?: number }
type Lines<Reply extends { readonly lines: { readonly first: number } }> = Omit<Reply, 'lines' | 'rest'> & {
  readonly lines: WithOldest<Reply['lines']>
}

type Context = {
  readonly paths: Paths
  readonly screens: Pick<Screens, 'paint' | 'page' | 'read' | 'earlier'>
  readonly log: Log
  readonly holders: { card(run: RunId): unknown }
  sessionOrder(terminal: Terminal, run: RunId): Promise<SessionOrder>
}

type Run = { readonly terminal: Terminal; readonly run: RunId }
type PageWish = { readonly before: number; readonly count: number; readonly format: LineFormat }

/** An answer of this size has no room for more lines: a client that wants them asks page by page. */
const ROOM_CHARACTERS = 8 << 20

export class Earlier {
  constructor(private readonly context: Context) {}

  async paint(of: Run, asked: { readonly history: number; readonly since?: number | undefined }): Promise<Lines<PaintReply>> {
    const { rest, ...paint } = await this.context.screens.paint(of.run, asked)
    const earlier = await this.above(of, { count: rest, format: 'ansi' })
    if (earlier === null) return paint
    const past = utf8Encode(earlier.lines.map((line) => `${line}\r\n`).join(''))
    return { ...paint, lines: withEarlier(paint.lines, earlier), bytes: joinBytes(past, paint.bytes) }
  }

  async read(of: Run, asked: { readonly history: number | 'all'; readonly format: LineFormat }): Promise<Lines<ReadReply>> {
    const { rest, ...read } = await this.context.screens.read(of.run, asked)
    const count = read.content.length < ROOM_CHARACTERS ? rest : 0
    const earlier = await this.above(of, { count, format: asked.format })
    const missing = rest > 0 ? await this.missing(of) : []
    if (earlier === null) return { ...read, faults: [...read.faults, ...missing] }
    const content = earlier.lines.length === 0 ? read.content : joinedContent(earlier.lines, read.content, asked.format)
    return { content, lines: withEarlier(read.lines, earlier), faults: [...read.faults, ...earlier.faults, ...missing] }
  }

  /** A page is of one of the two: between the numbers of both there may be those of lines that are gone. */
  async page(
    of: Run,
    { before, count, format }: { readonly before: number | null; readonly count: number; readonly format: LineFormat },
  ): Promise<WithOldest<PageReply>> {
    const own = await this.context.screens.page(of.run, { before: before === null ? null : Math.max(0, before), count, format })
    const isOwn = own.lines.length > 0
    const earlier = await this.above(of, { before: Math.min(before ?? 0, 0), count: isOwn ? 0 : count, format })
    if (earlier === null) return own
    return { ...own, ...withEarlier(own, earlier), lines: isOwn ? own.lines : earlier.lines }
  }

  /** Sentences about what should be above and is not. A run whose log had to make room for others is not missed. */
  private async missing({ terminal, run }: Run): Promise<readonly string[]> {
    const { paths } = this.context
    if (terminal.private) return []
    const known = await readRunBefore(runDirectory(paths, run))
    if (known === null) return existsSync(`${runDirectory(paths, run)}/${BEFORE_FILE}`) ? ['which run was before it cannot be read'] : []
    const directory = runDirectory(paths, known.run)
    const isWhole = known.end.kind !== 'exited' || !existsSync(directory) || readRunEnd({ directory, run: known.run }) !== null
    return isWhole ? [] : ['what stood before the wake is not whole: the end of its log is missing']
  }

  /** Null if there is nothing above, or it cannot be read. With a count of 0 the answer only says that there are lines. */
  private async above(of: Run, { before = 0, count, format }: Partial<PageWish> & Omit<PageWish, 'before'>): Promise<EarlierReply | null> {
    const { terminal, run } = of
    const { paths, holders, screens, log } = this.context
    if (terminal.private) return null
    const known = await readRunBefore(runDirectory(paths, run))
    if (known === null || known.run === run || holders.card(known.run) !== null) return null
    if ((await segmentsOf(runDirectory(paths, known.run))).length === 0) return null
    if (count <= 0) return { oldest: -1, from: 0, lines: [], faults: [] }
    try {
      const order = await this.context.sessionOrder(terminal, known.run)
      return await screens.earlier({ order, mark: beforeWords(known), isPictureKept: known.end.kind === 'slept', before, count, format })
    } catch (error) {
      log.warn({ terminal: terminal.id, run: known.run, error: (error as Error).message }, 'what stood before a wake cannot be read')
      return null
    }
  }
}

/** Without a line of the run before, the answer begins where the run does. */
function withEarlier({ first, from }: { readonly first: number; readonly from: number }, earlier: EarlierReply) {
  return { first, from: earlier.lines.length === 0 ? from : earlier.from, oldest: earlier.oldest }
}
