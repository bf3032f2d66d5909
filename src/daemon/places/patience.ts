/**
 * Questions to disks that may never answer, as a lost network disk does not. Nobody waits longer than a moment; and since
 * each open question takes one of the few threads that all work with files shares, only some may be open.
 */
export type Asked<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'late'; readonly value: Promise<Value> }
  /** Too many are open: it was not even asked. */
  | { readonly kind: 'refused' }

export class Patience {
  private open = 0

  constructor(private readonly limits: { readonly withinMs: number; readonly mostOpen: number }) {}

  get isExhausted(): boolean {
    return this.open >= this.limits.mostOpen
  }

  async ask<Value>(question: () => Promise<Value>): Promise<Asked<Value>> {
    if (this.isExhausted) return { kind: 'refused' }
    const value = question()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Asked<Value>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'late', value }), this.limits.withinMs)
    })
    const asked = await Promise.race([value.then((answer): Asked<Value> => ({ kind: 'answer', value: answer })), late]).finally(() =>
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

/** For what people ask for: one question that stays open is enough to know that there is no point in the next. */
export const PATIENCE = new Patience({ withinMs: 1_000, mostOpen: 1 })
