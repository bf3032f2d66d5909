/**
 * Lets a few tasks run at a time, in the order they came, so that the first is done long before the last. A slow task stops
 * counting after a while, so that a stuck one does not block the others.
 */
export class Turns {
  private free: number
  private readonly waiting: (() => void)[] = []
  private readonly patienceMs: number

  constructor({ atOnce, patienceMs }: { readonly atOnce: number; readonly patienceMs: number }) {
    this.free = atOnce
    this.patienceMs = patienceMs
  }

  async take<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    let held = true
    const pass = (): void => {
      if (!held) return
      held = false
      clearTimeout(timer)
      const next = this.waiting.shift()
      if (next === undefined) this.free += 1
      else next()
    }
    const timer = setTimeout(pass, this.patienceMs)
    try {
      return await work()
    } finally {
      pass()
    }
  }
}
