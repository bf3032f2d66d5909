/**
 * Search: the index of all lines that have left the screens. Lines come in from `screens/`, one small step at a time and at low
 * priority; queries come from the handler. Start here: the indexer works only for runs that have printed, slowly while one floods, and
 * not at all while nothing happens. The index itself records how far each run is indexed, so that after a crash the next daemon
 * continues there.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { readCards } from '../../client/holderCards.ts'
import { StoreFailure } from '../../store/failure.ts'
import { removeDatabase } from '../../store/files.ts'
import { linkSearch, type SearchLink } from '../../store/search/searchLink.ts'
import type { Purged } from '../../store/search/searchMessages.ts'
import type { Config } from '../../wire/config/config.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'
import type { RunScreens } from '../screens/runScreens.ts'
import type { FinishedReply } from '../screens/screenMessages.ts'
import type { Screens } from '../screens/screens.ts'
import { lineTime } from './lineTimes.ts'
import { Pace } from './pace.ts'

/** Some 20 ms of the index's thread. */
const STEP_LINES = 2_000
const PAUSE_MS = { usual: 25, flood: 500, failing: 30_000 }
/** Cold screens and clients that come back go first. */
const START_AFTER_MS = 1_000
const ENDING_WITHIN_MS = 3_000

type Known = { readonly indexed: number; readonly isWhole: boolean }
const NOTHING: Known = { indexed: 0, isWhole: false }

/** What a query needs to know about a run. `isPending`: there may be lines that are not indexed. */
export type RunToSearch = {
  readonly run: RunId
  readonly terminal: Terminal
  readonly indexed: number
  readonly isLive: boolean
  readonly isPending: boolean
}

type Parts = {
  readonly config: Config
  readonly paths: Paths
  readonly log: Log
  readonly bootTroubles: string[]
  readonly registry: {
    get(id: TerminalId): Terminal | null
    byRun(run: RunId): Terminal | null
    endingWith(run: RunId): Terminal | null
    all(): Terminal[]
    quiet(id: TerminalId, withinMs: number): Promise<boolean>
  }
  readonly holders: { isUnattached(run: RunId): boolean }
  readonly screens: Pick<Screens, 'finished'>
  readonly runScreens: Pick<RunScreens, 'borrow' | 'deferred' | 'ensure'>
}

export class Indexer {
  /** A sentence about why nothing is indexed, or null. */
  trouble: string | null = null
  private link: SearchLink | null = null
  private readonly known = new Map<RunId, Known>()
  private readonly owners = new Map<RunId, TerminalId>()
  /** Runs of which something is to be indexed, in the order of their turns. */
  private readonly waiting = new Set<RunId>()
  private readonly pace = new Pace()
  /** The one whose turn it is. */
  private current: RunId | null = null
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> | null = null
  private startTimer: NodeJS.Timeout | undefined
  private isStopped = false
  private isResting = false
  private loaded: Promise<void> = Promise.resolve()

  constructor(private readonly daemon: Parts) {}

  start(): void {
    this.startTimer = setTimeout(() => this.configured(), START_AFTER_MS).unref()
  }

  /** Switched off, the index is removed: it holds what terminals have shown. */
  configured(): void {
    const { search } = this.daemon.config
    if (this.isStopped || search.enabled === (this.link !== null)) return
    if (search.enabled) this.open(search.maxBytes)
    else void this.close().then(() => this.removeFile())
  }

  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.startTimer)
    await this.close()
  }

  /** The index, once it is known how far it goes; null while it is switched off. */
  async opened(): Promise<SearchLink | null> {
    this.configured()
    await this.loaded
    return this.link
  }

  /** Whether its thread has ended by itself. */
  hasEnded(): boolean {
    return this.link?.hasEnded() ?? false
  }

  /** Resolves when the thread of the index has answered; at once while there is none. */
  async ping(): Promise<void> {
    await this.link?.ping()
  }

  /** Starts another thread if the present one has ended; a thread that only does not answer is left alone. */
  async reopen(): Promise<void> {
    if (this.link === null) return
    if (!this.link.hasEnded()) throw new Error('its thread still lives')
    await this.close()
    this.trouble = null
    this.configured()
    await this.loaded
  }

  /** While the daemon has more urgent things to do, nothing is indexed; what is printed meanwhile is indexed later. */
  rest(isToRest: boolean): void {
    this.isResting = isToRest
    this.wake()
  }

  printed(runs: readonly { readonly run: RunId; readonly top: number }[]): void {
    for (const { run, top } of runs) {
      this.pace.printed(run, top)
      const { isWhole, indexed } = this.known.get(run) ?? NOTHING
      if (!isWhole && top !== indexed) this.waiting.add(run)
    }
    this.wake()
  }

  changed(id: TerminalId): void {
    const terminal = this.daemon.registry.get(id)
    if (terminal === null) return this.forget((_, owner) => owner === id)
    const { lastRun } = terminal
    if (lastRun === null) return
    const isNew = !this.owners.has(lastRun)
    this.owners.set(lastRun, id)
    if (terminal.state === 'asleep' && this.known.get(lastRun)?.isWhole !== true) this.waiting.add(lastRun)
    if (isNew) this.tidy() // a third run of a terminal costs its first
    this.wake()
  }

  /** Every run whose lines can be found, of one terminal or of all. */
  runsToSearch(only: TerminalId | null): RunToSearch[] {
    return [...this.owners].flatMap(([run, id]) => {
      const terminal = this.daemon.registry.get(id)
      if (terminal === null || terminal.private || (only !== null && id !== only)) return []
      const { indexed, isWhole } = this.known.get(run) ?? NOTHING
      const isLive = this.daemon.registry.byRun(run) !== null
      return [{ run, terminal, indexed, isLive, isPending: !isWhole && !isLive && this.isToBeIndexed(run) }]
    })
  }

  /** Its end may be known, and what is to be done about that still under way. */
  private isToBeIndexed(run: RunId): boolean {
    return this.waiting.has(run) || this.current === run || this.daemon.registry.endingWith(run) !== null
  }

  /** When what is not indexed yet of a live run was printed, at the latest. */
  newestTime(run: RunId): Promise<number> {
    const ago = this.pace.movedAgo(run)
    const now = Date.now()
    return ago === null
      ? lineTime(runDirectory(this.daemon.paths, run), Number.POSITIVE_INFINITY, now)
      : Promise.resolve(Math.round(now - ago))
  }

  private open(maxBytes: number): void {
    this.link = linkSearch({ file: this.daemon.paths.search, maxBytes }, (why) => this.begun(why))
    this.loaded = this.link.runs().then(
      (runs) => {
        for (const { run, indexed, isWhole } of runs) this.known.set(run, { indexed, isWhole })
        this.lookAtAll()
      },
      (error: Error) => this.failed(error),
    )
  }

  private begun(why: string | null): void {
    if (why !== null) {
      this.daemon.log.warn(why)
      this.daemon.bootTroubles.push(why)
    }
    this.known.clear()
    this.lookAtAll()
  }

  /** Runs are there again that had gone. */
  lookAgain(): void {
    if (this.link !== null) this.lookAtAll()
  }

  private lookAtAll(): void {
    // The oldest first, so that what is indexed later is newer.
    const cards = readCards(this.daemon.paths).cards.toSorted((a, b) => a.startedAt - b.startedAt)
    for (const { run, terminal } of cards) {
      this.owners.set(run, terminal)
      if (this.known.get(run)?.isWhole !== true || this.daemon.registry.byRun(run) !== null) this.waiting.add(run)
    }
    this.tidy(cards)
    this.wake()
  }

  /** What has no log any more is not found any more. */
  private tidy(cards = readCards(this.daemon.paths).cards): void {
    const onDisk = new Set(cards.map(({ run }) => run))
    this.forget((run, owner) => {
      if (this.daemon.registry.byRun(run) !== null) return false // it may not have written its card yet
      return !onDisk.has(run) || owner === undefined || this.daemon.registry.get(owner) === null
    })
  }

  private forget(isGone: (run: RunId, owner: TerminalId | undefined) => boolean): void {
    const gone = [...new Set([...this.known.keys(), ...this.owners.keys()])].filter((run) => isGone(run, this.owners.get(run)))
    if (gone.length === 0) return
    for (const run of gone) this.drop(run)
    this.link?.forget(gone).catch((error: Error) => this.failed(error))
  }

  /** Nothing of these is left in the file of the index, nor comes into it again. */
  async purge({ runs, terminals }: Purged): Promise<void> {
    const link = await this.opened()
    const gone = [...this.owners].flatMap(([run, owner]) => (terminals.includes(owner) ? [run] : []))
    for (const run of [...runs, ...gone]) this.drop(run)
    if (link === null) return this.removeFile() // it is switched off, and may have been on
    await this.working?.catch(() => undefined) // a line of theirs may be on its way
    await link.purge({ runs, terminals })
  }

  private drop(run: RunId): void {
    this.known.delete(run)
    this.owners.delete(run)
    this.waiting.delete(run)
    this.pace.forget(run)
  }

  private wake(pauseMs: number = this.pace.isFlooding ? PAUSE_MS.flood : PAUSE_MS.usual): void {
    if (
      this.link === null ||
      this.isStopped ||
      this.isResting ||
      this.timer !== undefined ||
      this.working !== null ||
      this.waiting.size === 0
    )
      return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.working = this.work().finally(() => {
        this.working = null
        this.wake(this.trouble === null ? undefined : PAUSE_MS.failing)
      })
    }, pauseMs).unref()
  }

  private async work(): Promise<void> {
    const run = [...this.waiting].find((each) => !this.pace.isHeldBack(each))
    if (run === undefined) return
    this.waiting.delete(run)
    this.current = run
    this.pace.stepped(run)
    try {
      if (await this.takeTurn(run)) this.waiting.add(run)
      this.trouble = null
    } catch (error) {
      this.failed(error as Error)
      if (error instanceof StoreFailure) this.waiting.add(run)
    } finally {
      this.current = null
    }
  }

  /** Whether there is more to index. */
  private async takeTurn(run: RunId): Promise<boolean> {
    const terminal = this.daemon.registry.get(this.owners.get(run) ?? ('' as TerminalId))
    if (terminal === null || terminal.private) return false
    const isLive = this.daemon.registry.byRun(run) !== null
    if (isLive) {
      if (this.daemon.holders.isUnattached(run)) return false // it is read once a client has looked at it
      // What has printed nothing since it was indexed needs no screen for this.
      const top = await this.daemon.runScreens.deferred.topOf(run)
      if (top !== null && (this.known.get(run) ?? NOTHING).indexed >= top) return false
      await this.daemon.runScreens.ensure(terminal, run)
      return this.step(run, terminal, { ended: false })
    }
    await this.daemon.registry.quiet(terminal.id, ENDING_WITHIN_MS)
    // The whole run in one go, because its screen is made for this alone.
    return this.daemon.runScreens.borrow(terminal, run, async () => {
      while (!this.isStopped && (await this.step(run, terminal, { ended: true })))
        await new Promise((resolve) => setTimeout(resolve, this.pace.isFlooding ? PAUSE_MS.flood : PAUSE_MS.usual))
      return false
    })
  }

  private async step(run: RunId, terminal: Terminal, { ended }: { readonly ended: boolean }): Promise<boolean> {
    const { indexed } = this.known.get(run) ?? NOTHING
    const page = await this.daemon.screens.finished(run, { from: indexed, count: STEP_LINES, ended })
    const end = page.from + page.lines.length
    const isWhole = ended && end >= page.until
    trip('index:page-read')
    if (this.link === null || !this.owners.has(run)) return false // closed meanwhile
    await this.link.add({ ...page, run, terminal: terminal.id, at: await this.timeOf(run, page), isWhole })
    if (!this.owners.has(run))
      await this.link.forget([run]) // closed while its last lines were on their way
    else this.known.set(run, { indexed: end, isWhole })
    return end < page.until && page.lines.length > 0
  }

  private timeOf(run: RunId, { from, isReplayed }: FinishedReply): Promise<number> {
    const now = Date.now()
    return !isReplayed && this.pace.isMoving(run) ? Promise.resolve(now) : lineTime(runDirectory(this.daemon.paths, run), from, now)
  }

  private failed(error: Error): void {
    if (this.isStopped || this.link === null) return
    this.daemon.log.warn({ error: error.message }, 'lines could not be indexed')
    if (error instanceof StoreFailure && error.kind !== 'damaged' && error.kind !== 'moved')
      this.trouble = `cannot write the search index: ${error.message}`
  }

  private async close(): Promise<void> {
    const { link } = this
    this.link = null
    clearTimeout(this.timer)
    this.timer = undefined
    await this.working?.catch(() => undefined)
    this.known.clear()
    await link?.close()
  }

  private removeFile(): void {
    if (this.link === null) removeDatabase(this.daemon.paths.search) // unless it was switched on again meanwhile
  }
}
