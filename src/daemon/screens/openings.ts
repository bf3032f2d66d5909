/**
 * Opens the screens of runs. Each run gets one, however many callers ask at the same time: later ones wait for the first.
 * Screens that a client looks at are opened in the order they were asked for; all others come after them.
 */
import type { RunId } from '../../base/ids.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { Turns } from './turns.ts'

/** Enough to keep holders, store and screens busy at the same time; one screen takes about 10 ms. */
const ASKED = { atOnce: 3, patienceMs: 200 }
const UNSEEN = { atOnce: 2, patienceMs: 500 }

export type OpeningsOptions = {
  readonly isOpen: (run: RunId) => boolean
  /** Opens it, also where it is open: then anew. */
  readonly open: (run: RunId, terminal: Terminal) => Promise<void>
}

type InTurn = (open: () => Promise<void>) => Promise<void>
const AT_ONCE: InTurn = (open) => open()

export class Openings {
  private readonly underWay = new Map<RunId, Promise<void>>()
  private readonly asked = new Turns(ASKED)
  private readonly unseen = new Turns(UNSEEN)
  /** Those that a caller waits for. */
  private readonly awaited = new Set<Promise<void>>()

  constructor(private readonly options: OpeningsOptions) {}

  /** Opens it unless it is open. */
  ensure(run: RunId, terminal: Terminal): Promise<void> {
    const before = this.underWay.get(run)
    if (before !== undefined) return before
    if (this.options.isOpen(run)) return Promise.resolve()
    return this.awaiting(this.begin(run, terminal, (open) => this.asked.take(open)))
  }

  /** Opens it at once, again if it is open: the source of its bytes may have changed. */
  async renew(run: RunId, terminal: Terminal): Promise<void> {
    const before = this.underWay.get(run)
    if (before === undefined) return this.begin(run, terminal, AT_ONCE)
    // What it failed for may be over by now.
    await before.catch(() => this.underWay.get(run) ?? this.begin(run, terminal, AT_ONCE))
  }

  /** Opens it unless it is open, when there is time. Its terminal is looked up when its turn has come; null if it has none any more. */
  async behind(run: RunId, terminalOf: () => Terminal | null): Promise<void> {
    await this.unseen.take(async () => {
      await Promise.race([Promise.allSettled(this.awaited), new Promise((resolve) => setTimeout(resolve, ASKED.patienceMs))])
      const terminal = terminalOf()
      if (terminal !== null && !this.options.isOpen(run)) await (this.underWay.get(run) ?? this.begin(run, terminal, AT_ONCE))
    })
  }

  private begin(run: RunId, terminal: Terminal, inTurn: InTurn): Promise<void> {
    const opening = inTurn(() => this.options.open(run, terminal)).finally(() => this.underWay.delete(run))
    this.underWay.set(run, opening)
    return opening
  }

  private awaiting(opening: Promise<void>): Promise<void> {
    const done = opening.catch(() => undefined).finally(() => this.awaited.delete(done))
    this.awaited.add(done)
    return opening
  }
}
