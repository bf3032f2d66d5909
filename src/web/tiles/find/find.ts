/**
 * Finds text in a terminal: in what is drawn, and beyond it in older lines, which are fetched until there is a hit. Going up
 * at the oldest hit continues into the history; the search wraps around only where there is no more of it. finder.ts knows the library,
 * patternTrial.ts tries a regular expression in a worker before the page runs it, olderHits.ts asks the daemon.
 */
import type { Finder, FindQuery, Hits, Mark } from './finder.ts'

export type FindState = {
  readonly query: FindQuery
  readonly hits: Hits
  /** Hits in older lines that are not drawn; `isPending`: the index has not read all of them yet. */
  readonly older: { readonly count: number; readonly isMore: boolean; readonly isPending: boolean } | null
  /** Whether older lines could be fetched and looked through. */
  readonly canGoOlder: boolean
  readonly isLooking: boolean
  /** Why it cannot be looked for. */
  readonly wrong: string | null
}

type FindScreen = Pick<Finder, 'find'> & {
  stopFinding(): void
  clearSelection(): void
  mark(): Mark
  goTo(mark: Mark): void
}

export type FindOptions = {
  readonly screen: FindScreen
  readonly scrollback: { readonly canDeepen: boolean; deepen(): Promise<boolean> }
  /** Whether a regular expression can be matched with what is drawn now without holding up the page. */
  readonly isQuick: (query: FindQuery) => Promise<boolean>
  /** How many lines older than the drawn ones have this text; null if unknown. */
  readonly countOlder: (query: FindQuery) => Promise<FindState['older']>
  /** Null when nothing is looked for any more. */
  readonly onState: (state: FindState | null) => void
}

/** Typing comes first: older lines are searched after a pause. */
const ASK_AFTER_MS = 200
const ASK_AGAIN_MS = 1_000 // while lines are being indexed
const TOO_SLOW = 'Pattern is too slow: simplify it'
const NO_HITS: Hits = { at: null, count: 0, isMore: false }
const NOTHING: FindQuery = { text: '', isCase: false, isRegex: false }

export class Find {
  private readonly options: FindOptions
  private state: FindState | null = null
  /** What was looked for last, for the next time. */
  private last = NOTHING
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: FindOptions) {
    this.options = options
  }

  get isOpen(): boolean {
    return this.state !== null
  }

  open(text?: string): void {
    const query = text === undefined || text === '' ? this.last : { ...this.last, text }
    this.set(query)
  }

  close(): void {
    clearTimeout(this.timer)
    this.options.screen.stopFinding()
    this.state = null
    this.options.onState(null)
  }

  /** From the end up: what was printed last is looked for most. */
  set(query: FindQuery): void {
    const { screen, scrollback } = this.options
    clearTimeout(this.timer)
    this.last = query
    const wrong = whyWrong(query)
    this.state = { query, hits: NO_HITS, older: null, canGoOlder: scrollback.canDeepen, isLooking: false, wrong }
    screen.stopFinding()
    screen.clearSelection()
    if (query.text !== '' && wrong === null) {
      this.whenQuick(query, () => screen.find(query, 'up'))
      this.timer = setTimeout(() => void this.ask(query), ASK_AFTER_MS)
    }
    this.change({})
  }

  /** Text is looked for at once, a regular expression when it was tried. */
  private whenQuick(query: FindQuery, look: () => void): void {
    if (query.isRegex) void this.isStillQuick(query).then((isQuick) => isQuick && look())
    else look()
  }

  private async isStillQuick(query: FindQuery): Promise<boolean> {
    const isQuick = !query.isRegex || (await this.options.isQuick(query))
    if (this.state?.query !== query) return false
    if (!isQuick) this.change({ wrong: TOO_SLOW, isLooking: false })
    return isQuick
  }

  takeHits(hits: Hits): void {
    this.change({ hits })
  }

  next(): void {
    const query = this.usable()
    if (query === null) return
    this.whenQuick(query, () => {
      if (!this.options.screen.find(query, 'down')) void this.goOlder(query)
    })
  }

  /** Older ones. */
  previous(): void {
    const query = this.usable()
    if (query !== null) this.whenQuick(query, () => this.goUp(query))
  }

  private goUp(query: FindQuery): void {
    const { screen, scrollback } = this.options
    const before = screen.mark()
    const isFound = screen.find(query, 'up')
    if (isFound && (isAbove(screen.mark(), before) || !scrollback.canDeepen)) return
    screen.goTo(before)
    void this.goOlder(query)
  }

  private usable(): FindQuery | null {
    const { state } = this
    return state === null || state.isLooking || state.wrong !== null || state.query.text === '' ? null : state.query
  }

  private async goOlder(query: FindQuery): Promise<void> {
    const { screen, scrollback } = this.options
    const isStill = (): boolean => this.state?.query === query
    this.change({ isLooking: true })
    while (isStill() && (await scrollback.deepen()) && (await this.isStillQuick(query))) {
      const before = screen.mark()
      if (screen.find(query, 'up') && isAbove(screen.mark(), before)) break
      screen.goTo(before)
    }
    if (!isStill() || this.state?.wrong !== null) return
    if (!scrollback.canDeepen && screen.mark().selected === null) screen.find(query, 'up')
    this.change({ isLooking: false, canGoOlder: scrollback.canDeepen, older: null })
    await this.ask(query)
  }

  private async ask(query: FindQuery): Promise<void> {
    const { scrollback, countOlder } = this.options
    if (!scrollback.canDeepen) return this.change({ canGoOlder: false, older: null })
    const older = query.isRegex ? null : await countOlder(query)
    if (this.state?.query !== query) return
    this.change({ older, canGoOlder: scrollback.canDeepen })
    clearTimeout(this.timer)
    if (older?.isPending === true) this.timer = setTimeout(() => void this.ask(query), ASK_AGAIN_MS)
  }

  private change(changes: Partial<FindState>): void {
    if (this.state === null) return
    this.state = { ...this.state, ...changes }
    this.options.onState(this.state)
  }
}

function whyWrong({ text, isRegex }: FindQuery): string | null {
  if (!isRegex) return null
  try {
    new RegExp(text)
    return null
  } catch {
    return 'Not a regular expression' // a value: it is being typed
  }
}

/** What is marked in one is older than what is marked in the other; where nothing was, everything is. */
function isAbove({ selected: now }: Mark, { selected: before }: Mark): boolean {
  if (now === null) return false
  if (before === null) return true
  return now.row < before.row || (now.row === before.row && now.column < before.column)
}

/** `2 of 7`, and what is known of older lines. */
export function findWords({ query, hits, older, canGoOlder, isLooking, wrong }: FindState): string {
  if (wrong !== null) return wrong
  if (query.text === '') return ''
  if (isLooking) return 'Searching older lines…'
  const count = `${hits.count}${hits.isMore ? '+' : ''}`
  const here = hits.count === 0 ? 'No matches here' : hits.at === null ? count : `${hits.at} of ${count}`
  if (older !== null && older.count > 0) return `${here}, ${older.count}${older.isMore ? '+' : ''} older`
  if (hits.count > 0) return here
  return canGoOlder ? `${here}, maybe more in older lines` : 'None'
}
