/**
 * Live runs whose screens are not needed yet. A daemon that restarts finds programs that have printed nothing since their last
 * snapshot: that is their screen. It is opened when a client looks or the program prints, which its holder reports.
 * What a snapshot says without being drawn (the program's directory and status, its number of lines) is known at once.
 */
import type { RunId } from '../../base/ids.ts'
import type { KeptSnapshot } from '../../store/store.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Gist } from './screenMessages.ts'

/** Clients that waited for the daemon ask for what they show within this time. */
const OTHERS_AFTER_MS = 250
const LOOKED_UP_AT_ONCE = 4

export type DeferredWorld = {
  readonly byRun: (run: RunId) => Terminal | null
  readonly isOpen: (run: RunId) => boolean
  /** How much the run had printed when its holder was last heard of; null if that is not known. */
  readonly printed: (run: RunId) => number | null
  /** What a screen of the run would begin with. */
  readonly kept: (run: RunId) => Promise<KeptSnapshot | null>
  readonly gist: (bytes: Uint8Array) => Promise<Gist | null>
  readonly text: (bytes: Uint8Array) => Promise<string>
  /** Has `printedOn` called once there is output beyond `from`; false if the holder cannot tell. */
  readonly awaitOutput: (run: RunId, from: number) => boolean
  readonly recall: (run: RunId, gist: Gist) => void
  readonly openBehind: (run: RunId) => Promise<void>
  readonly failed: (run: RunId, error: Error) => void
}

type Deferred = { readonly gist: Gist | null; text: Promise<string> | null }

export class DeferredScreens {
  private readonly waiting = new Map<RunId, Deferred>()
  private looking: Promise<unknown> = Promise.resolve()

  constructor(private readonly world: DeferredWorld) {}

  get count(): number {
    return this.waiting.size
  }

  /** Runs that were found: each is left alone, or opened after those that a client looks at. */
  found(runs: readonly RunId[]): void {
    const left = [...runs]
    const next = async (): Promise<void> => {
      for (let run = left.shift(); run !== undefined; run = left.shift()) await this.consider(run)
    }
    const all = new Promise((resolve) => setTimeout(resolve, OTHERS_AFTER_MS)).then(() =>
      Promise.all(Array.from({ length: LOOKED_UP_AT_ONCE }, next)),
    )
    this.looking = Promise.all([this.looking, all])
  }

  /** Resolves once it is decided; the opening itself may take longer. */
  async consider(run: RunId): Promise<void> {
    const { world } = this
    try {
      if (this.isLive(run) && !world.isOpen(run) && !(await this.defer(run))) this.open(run)
    } catch (error) {
      world.failed(run, error as Error)
      this.open(run)
    }
  }

  /** Its program has printed something: titles, bells and questions in it are for the screen. */
  printedOn(run: RunId): void {
    if (this.waiting.has(run)) this.open(run)
  }

  /** Whether what its snapshot says has been told, because its screen was deferred. */
  has(run: RunId): boolean {
    return this.waiting.has(run)
  }

  /** It has a screen, or is over. */
  forget(run: RunId): void {
    this.waiting.delete(run)
  }

  /** The line at the top of a screen that is deferred; null where it is not. */
  async topOf(run: RunId): Promise<number | null> {
    await this.looking
    return this.waiting.get(run)?.gist?.top ?? null
  }

  /** What a deferred screen would show; empty where there is none. */
  async textOf(run: RunId): Promise<string> {
    const deferred = this.waiting.get(run)
    if (deferred === undefined) return ''
    deferred.text ??= this.world.kept(run).then((kept) => (kept === null ? '' : this.world.text(kept.bytes)))
    return await deferred.text
  }

  private async defer(run: RunId): Promise<boolean> {
    const { world } = this
    const terminal = world.byRun(run)
    if (terminal?.state !== 'live' || terminal.link.kind !== 'connected') return false
    const kept = await world.kept(run)
    const from = kept?.seq ?? 0
    const gist = kept === null ? null : await world.gist(kept.bytes)
    const isAsKept = (world.printed(run) ?? Number.POSITIVE_INFINITY) <= from && (kept === null || gist !== null)
    if (!isAsKept || !this.isLive(run) || world.isOpen(run)) return false
    this.waiting.set(run, { gist, text: null })
    if (!world.awaitOutput(run, from)) {
      this.waiting.delete(run)
      return false
    }
    if (gist !== null) world.recall(run, gist)
    return true
  }

  private open(run: RunId): void {
    const { world } = this
    world.openBehind(run).catch((error: Error) => world.failed(run, error))
  }

  private isLive(run: RunId): boolean {
    return this.world.byRun(run) !== null
  }
}
