/**
 * Says when a checkpoint is due: when the structure has changed and then calmed down, and once in a while. While nothing
 * changes, nothing is due.
 */
type Due = 'event' | 'periodic'

export type CheckpointPace = { readonly intervalS: number; readonly debounceMs: number }

/** A workspace that never calms down still gets a checkpoint, after this many times the wait. */
const MOST_WAITS = 10

export class CheckpointTimer {
  private soon: NodeJS.Timeout | undefined
  private regular: NodeJS.Timeout | undefined
  private firstChangeAt: number | null = null
  private isRunning = false

  /** The pace is asked for each time: config.toml may change meanwhile. */
  constructor(
    private readonly pace: () => CheckpointPace,
    private readonly due: (kind: Due) => void,
  ) {}

  begin(): void {
    this.isRunning = true
    this.waitForNext()
  }

  structureChanged(): void {
    if (!this.isRunning) return
    const now = performance.now()
    const { debounceMs } = this.pace()
    this.firstChangeAt ??= now
    const latest = this.firstChangeAt + MOST_WAITS * debounceMs
    clearTimeout(this.soon)
    this.soon = setTimeout(
      () => {
        this.firstChangeAt = null
        this.due('event')
      },
      Math.max(0, Math.min(now + debounceMs, latest) - now),
    ).unref()
  }

  stop(): void {
    this.isRunning = false
    clearTimeout(this.soon)
    clearTimeout(this.regular)
  }

  private waitForNext(): void {
    this.regular = setTimeout(() => {
      this.due('periodic')
      this.waitForNext()
    }, this.pace().intervalS * 1_000).unref()
  }
}
