/**
 * Questions to disks that may never answer, such as a lost network disk. A caller waits for a bounded time. Each open question takes one
 * of the few threads that all file access shares, so their number is limited, too.
 */
export type TimedAnswer<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'late'; readonly value: Promise<Value> }
  /** Too many questions are open: this one was not asked. */
  | { readonly kind: 'refused' }

export class Patience {
  private open = 0

  constructor(private readonly limits: { readonly withinMs: number; readonly mostOpen: number }) {}

  get isExhausted(): boolean {
    return this.open >= this.limits.mostOpen
  }

  async ask<Value>(question: () => Promise<Value>): Promise<TimedAnswer<Value>> {
    if (this.isExhausted) return { kind: 'refused' }
    const value = question()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<TimedAnswer<Value>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'late', value }), this.limits.withinMs)
    })
    const asked = await Promise.race([value.then((answer): TimedAnswer<Value> => ({ kind: 'answer', value: answer })), late]).finally(() =>
      clearTimeout(timer),
    )
    if (asked.kind === 'late') this.keepOpen(value)
    return asked
  }

  private keepOpen(value: Promise<unknown>): void {
    this.open += 1
    const closed = (): void => {
      this.open -= 1
    }
    value.then(closed, closed)
  }
}

/** For what users ask for: while one question stays open, the next one would, too. */
export const PATIENCE = new Patience({ withinMs: 1_000, mostOpen: 1 })
