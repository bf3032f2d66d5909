/** Measures how much room there is, and says at which stage the daemon leaves things undone. */
import { type Refusal, refusals } from '../../base/refusal.ts'
import { type Load, type LoadCause, type Measures, NO_LOAD, planLoad, whyLoaded } from '../../workspace/load.ts'

/** What is left undone is done again soon after there is room. */
const LOOK_AGAIN_MS = 5_000

export type LoadWorld = { measure(): Promise<Measures>; changed(now: Load, before: Load): void }

export class LoadWatch {
  load: Load = NO_LOAD
  private measures: Measures | null = null
  private timer: NodeJS.Timeout | null = null
  private looking: Promise<Load> | null = null
  private isStopped = false

  constructor(private readonly world: LoadWorld) {}

  look(): Promise<Load> {
    this.looking ??= this.measureAndPlan().finally(() => {
      this.looking = null
    })
    return this.looking
  }

  /** What of these is the case, as a sentence; null when nothing is. */
  why(...among: readonly LoadCause[]): string | null {
    return this.measures === null ? null : whyLoaded({ causes: this.load.causes, measures: this.measures }, among)
  }

  /** Whether a command may have to be refused. Known at once, so that no command waits for a measure while there is room. */
  get isFull(): boolean {
    return this.load.stage === 3
  }

  /** Why no further program may be started now. */
  async refusesProgram(): Promise<Refusal | null> {
    return await this.refuses(['heap', 'own', 'available', 'disk'])
  }

  /** Why no further channel may be opened now. A full disk is no reason: a channel needs no disk, and may serve to empty it. */
  async refusesChannel(): Promise<Refusal | null> {
    return await this.refuses(['heap', 'own'])
  }

  stop(): void {
    this.isStopped = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Measured again, so that no command is refused for an old measure. */
  private async refuses(causes: readonly LoadCause[]): Promise<Refusal | null> {
    if (!this.isFull) return null
    const { causes: now } = await this.look()
    const worst = causes.filter((cause) => now[cause] === 3)
    const why = this.why(...worst)
    return why === null ? null : refusals.overloaded(why)
  }

  private async measureAndPlan(): Promise<Load> {
    const measures = await this.world.measure()
    const before = this.load
    this.measures = measures
    this.load = planLoad(measures, before)
    if (this.load.stage !== before.stage || this.load.why !== before.why) this.world.changed(this.load, before)
    this.lookAgainIfLoaded()
    return this.load
  }

  private lookAgainIfLoaded(): void {
    if (this.load.stage === 0 || this.timer !== null || this.isStopped) return
    this.timer = setTimeout(() => {
      this.timer = null
      void this.look()
    }, LOOK_AGAIN_MS).unref()
  }
}
