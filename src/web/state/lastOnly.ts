/** Does something at once and then at most once in `everyMs`: of what comes faster, the last. */
export class LastOnly<Value> {
  private pause: ReturnType<typeof setTimeout> | undefined
  private waiting: { readonly value: Value } | null = null
  private readonly everyMs: number
  private readonly act: (value: Value) => void

  constructor(everyMs: number, act: (value: Value) => void) {
    this.everyMs = everyMs
    this.act = act
  }

  take(value: Value): void {
    if (this.pause === undefined) this.pass(value)
    else this.waiting = { value }
  }

  /** What waits is forgotten. */
  close(): void {
    clearTimeout(this.pause)
    this.waiting = null
  }

  private pass(value: Value): void {
    this.waiting = null
    this.pause = setTimeout(() => {
      this.pause = undefined
      if (this.waiting !== null) this.pass(this.waiting.value)
    }, this.everyMs)
    this.act(value)
  }
}
