/** Everything a run has printed and been through, as far as it is kept: the memory tail, the marks and the log behind it. */

import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { ExitStatus, HolderOrder, Size } from '../wire/holder.ts'
import { decodeSegment, type LogRecord, positionAfter, segmentName, segmentSeq } from '../wire/log.ts'
import { Marks } from './marks.ts'
import { MemoryLog } from './memoryLog.ts'
import { OutputLog } from './outputLog.ts'
import { Segments } from './segments.ts'
import { BLOCK_BYTES, Tail } from './tail.ts'

type HistoryOptions = {
  readonly order: Pick<HolderOrder, 'runDirectory' | 'run' | 'segmentBytes' | 'size' | 'journal'>
  readonly changed: () => void
  readonly exitKept: () => void
  /** Of a run that continues: what an earlier holder has logged. */
  readonly before?: LogBefore
  /** Wall-clock time in ms; only for readers of the log. */
  readonly now?: () => number
}

/** What the run's history asks of whatever keeps it. */
type Log = Pick<OutputLog, 'degraded' | 'reach' | 'oldest' | 'kept' | 'wake' | 'keepNow' | 'look' | 'read' | 'close'>

export class History {
  readonly tail = new Tail()
  readonly marks: Marks
  readonly log: Log
  size: Size
  exit: ExitStatus | null = null

  private readonly now: () => number

  constructor({ order, before, changed, exitKept, now = Date.now }: HistoryOptions) {
    this.now = now
    this.size = order.size
    this.marks = new Marks(order.size)
    if (order.journal === false) {
      if (before !== undefined) this.beginAt(blockAfter(now() * BYTES_PER_MS))
      this.log = new MemoryLog({ tail: this.tail, marks: this.marks })
      return
    }
    const former = before?.segments ?? []
    const segments = new Segments({ directory: order.runDirectory, run: order.run, segmentBytes: order.segmentBytes, former, now })
    const from = before?.seq ?? 0
    if (from > 0) this.beginAt(blockAfter(from))
    this.log = new OutputLog({ tail: this.tail, marks: this.marks, segments, from, changed, exitKept })
  }

  get head(): number {
    return this.tail.head
  }

  get oldest(): number {
    return this.log.oldest
  }

  /** What of it is on disk: what is read from here is the same when this process is gone. */
  get kept(): { readonly from: number; readonly to: number } {
    return this.log.kept
  }

  append(bytes: Uint8Array): void {
    this.tail.append(bytes)
    this.log.wake()
  }

  resize(size: Size): void {
    this.size = size
    this.marks.push({ kind: 'resize', seq: this.head, size, at: this.now() })
    this.log.wake()
  }

  /** An unknown number of bytes was never seen. They count as some, so that what follows is not taken for the next byte. */
  async miss(): Promise<void> {
    await this.log.keepNow()
    this.beginAt(blockAfter(this.head))
    this.log.wake()
  }

  private beginAt(seq: number): void {
    this.tail.skipTo(seq)
    this.marks.skipTo(seq, this.size)
  }

  end(status: ExitStatus): void {
    this.exit = status
    this.marks.push({ kind: 'exit', seq: this.head, status, at: this.now() })
    void this.log.keepNow()
  }
}

/** How far a private run had come is not kept: the clock is beyond that, however much it printed. */
const BYTES_PER_MS = 1_000

const blockAfter = (seq: number): number => (Math.floor(seq / BLOCK_BYTES) + 1) * BLOCK_BYTES

/**
 * What an earlier holder of this run has left on disk. Its program outlived it, in tmux, and the log continues behind it. A
 * record that it was killed while writing is cut off: nothing may follow half of one. What cannot be read is passed over.
 */

export type LogBefore = {
  /** How many bytes it accounts for. */
  readonly seq: number
  readonly segments: readonly { readonly seq: number; readonly path: string; readonly end: number }[]
}

/** `segmentBytes` is the most that one segment accounts for. */
export function logBefore(directory: string, segmentBytes: number): LogBefore {
  const seqs = (existsSync(directory) ? readdirSync(directory) : []).flatMap((name) => segmentSeq(name) ?? []).sort((a, b) => a - b)
  const newest = seqs.at(-1)
  const segments = seqs.map((seq) => ({ seq, path: `${directory}/${segmentName(seq)}`, end: 0 }))
  const last = segments.at(-1)
  if (newest === undefined || last === undefined) return { seq: 0, segments }
  const records = recordsIn(last.path)
  if (records === null) return { seq: newest + segmentBytes, segments }
  let position: number | null = null
  for (const record of records) position = positionAfter(record, position) ?? position
  const seq = position ?? newest
  // A segment that begins where the log continues is written anew under the same name.
  return { seq, segments: segments.filter((segment) => segment.seq < seq) }
}

function recordsIn(path: string): readonly LogRecord[] | null {
  try {
    const { records, end, fault } = decodeSegment(readFileSync(path), crc32)
    if (fault !== null) truncateSync(path, end)
    return records
  } catch {
    return null
  }
}
