/**
 * Which snapshot of a run is used. One that would not be restored exactly is neither kept nor shown. Instead the newest exact one is
 * used, whose reader then has a little more of the log to read. Only where there is none, or the log no
 * longer reaches back to it, the inexact one is better than nothing.
 */
import { createScreen, type Screen } from '../../screen/screen.ts'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { decodeSnapshot, encodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { isTripped } from '../base/trip.ts'

export type KeptSnapshot = { readonly seq: number; readonly bytes: Uint8Array }

export type ExactSnapshotsOptions = {
  readonly screen: Screen
  /** By how much the run's seq is ahead of the screen's. */
  offset(): number
  /** The first seq that can still be read; null if that is not known. */
  oldest(): Promise<number | null>
  /** Called once for every snapshot that was made, with what differed, if anything. */
  taken(differs: readonly string[]): void
  trouble(why: string): void
}

const MAX_SAID = 4 // sentences; what differs may differ every time

export class ExactSnapshots {
  private good: KeptSnapshot | null = null
  private counted = 0
  private readonly said = new Set<string>()

  constructor(private readonly options: ExactSnapshotsOptions) {}

  /** The screen was restored from what the store had of the run; it was checked when it was kept. */
  restoredFrom(kept: KeptSnapshot): void {
    this.good = kept
  }

  /** The newest that would come back exactly; null where there is none. */
  get newest(): KeptSnapshot | null {
    return this.good
  }

  /** For keeping; null if the kept snapshot is better. */
  async toKeep(): Promise<KeptSnapshot | null> {
    const { snapshot, differs } = this.check()
    const taken = { seq: snapshot.seq + this.options.offset(), bytes: encodeSnapshot(snapshot) }
    if (differs.length === 0) {
      this.good = taken
      return taken
    }
    if (await this.reachable()) return null
    this.sayOnce(`a snapshot that is not exact is kept, for want of a better one: it differs in ${differs.join(', ')}`)
    return taken
  }

  /** `logFollows`: the reader continues with the log from the snapshot's seq, so that it may be an earlier one. */
  async toShow(history: number, { logFollows }: { logFollows: boolean }): Promise<{ readonly snapshot: Snapshot; readonly seq: number }> {
    const { snapshot, differs } = this.check(history)
    const now = { snapshot, seq: snapshot.seq + this.options.offset() }
    if (differs.length === 0) return now
    const good = logFollows ? await this.reachable() : null
    const earlier = good === null ? null : await shorter(good, history)
    if (good !== null && earlier !== null) return { snapshot: earlier, seq: good.seq }
    this.sayOnce(`a snapshot that is not exact is shown, for want of a better one: it differs in ${differs.join(', ')}`)
    return now
  }

  private check(history?: number): { readonly snapshot: Snapshot; readonly differs: readonly string[] } {
    const { screen, taken } = this.options
    const { snapshot, differs } = screen.checkedSnapshot(history === undefined ? {} : { history })
    const verdict = isTripped('snapshot:inexact') ? ['it was made to differ'] : differs
    if (screen.snapshotCounts.taken > this.counted) {
      this.counted = screen.snapshotCounts.taken
      taken(verdict)
    }
    return { snapshot, differs: verdict }
  }

  private sayOnce(why: string): void {
    if (this.said.has(why) || this.said.size >= MAX_SAID) return
    this.said.add(why)
    this.options.trouble(why)
  }

  private async reachable(): Promise<KeptSnapshot | null> {
    const { good } = this
    if (good === null) return null
    const oldest = await this.options.oldest()
    return oldest !== null && oldest <= good.seq ? good : null
  }
}

/** The same moment with no more history than asked for. */
async function shorter({ bytes }: KeptSnapshot, history: number): Promise<Snapshot | null> {
  const whole = decodeSnapshot(bytes)
  if (whole === null) return null
  const screen = createScreen({ cols: whole.cols, rows: whole.rows })
  await screen.restore(whole)
  const snapshot = screen.snapshot({ history })
  screen.dispose()
  return snapshot
}
