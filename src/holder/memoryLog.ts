/**
 * The log of a private run, which is none: the newest output stays in memory and nothing is written anywhere. It is there for
 * its followers and the next daemon, and ends with the holder. Its exit waits until a daemon takes it.
 */
import type { Marks } from './marks.ts'
import type { Found } from './segments.ts'
import type { Tail } from './tail.ts'

/** As much as there is of any other run while its disk fails. */
const MEMORY_BYTES = 4 << 20

export class MemoryLog {
  readonly degraded: string | null = null
  reach = 0

  constructor(private readonly options: { readonly tail: Tail; readonly marks: Marks }) {}

  get oldest(): number {
    const { tail, marks } = this.options
    return Math.max(marks.floor, tail.oldest)
  }

  /** All of it is read from memory. */
  get kept(): { readonly from: number; readonly to: number } {
    return { from: this.oldest, to: this.oldest }
  }

  wake(): void {
    const { tail, marks } = this.options
    tail.dropBefore(tail.head - Math.max(MEMORY_BYTES, this.reach))
    marks.dropBefore(this.oldest)
  }

  keepNow(): Promise<void> {
    return Promise.resolve()
  }

  look(): Promise<void> {
    return Promise.resolve()
  }

  read(_seq: number): Promise<Found> {
    return Promise.resolve({ next: null })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
