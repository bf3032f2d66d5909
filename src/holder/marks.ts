/** What happened between two bytes: resizes and the exit, in order. Each has a number that never changes. */
import type { ExitStatus, Size } from '../wire/holder.ts'

export type Mark =
  | { readonly kind: 'resize'; readonly seq: number; readonly size: Size; readonly at: number }
  | { readonly kind: 'exit'; readonly seq: number; readonly status: ExitStatus; readonly at: number }

/** A window dragged for hours; past this the oldest history is given up rather than replayed wrongly. */
const MARKS_LIMIT = 4_096

export class Marks {
  /** Output before this seq can no longer be read with the right size. */
  floor = 0
  /** The number of the first mark that is still here. */
  first = 0
  private readonly list: Mark[] = []
  private sizeBefore: Size

  constructor(size: Size) {
    this.sizeBefore = size
  }

  get count(): number {
    return this.first + this.list.length
  }

  push(mark: Mark): void {
    this.list.push(mark)
    if (this.list.length > MARKS_LIMIT) this.dropFirst()
  }

  /** What was before `seq` is gone: from there on it has this size. */
  skipTo(seq: number, size: Size): void {
    this.first = this.count
    this.list.length = 0
    this.sizeBefore = size
    this.floor = seq
  }

  /** The mark of this number, or the first one left if that has been dropped. */
  at(number: number): Mark | undefined {
    return this.list[Math.max(0, number - this.first)]
  }

  /** The size in force for the byte at `seq`. */
  sizeAt(seq: number): Size {
    let size = this.sizeBefore
    for (const mark of this.list) {
      if (mark.seq > seq) break
      if (mark.kind === 'resize') size = mark.size
    }
    return size
  }

  /** The number of the first mark that a reader still needs, given `sizeAt(seq)`. */
  after(seq: number): number {
    const index = this.list.findIndex((mark) => mark.seq > seq || mark.kind === 'exit')
    return index === -1 ? this.count : this.first + index
  }

  dropBefore(seq: number): void {
    for (let first = this.list[0]; first !== undefined && first.seq < seq && first.kind === 'resize'; first = this.list[0]) this.dropFirst()
  }

  private dropFirst(): void {
    const first = this.list.shift()
    if (first === undefined) return
    if (first.kind === 'resize') this.sizeBefore = first.size
    this.floor = first.seq
    this.first += 1
  }
}
