/**
 * What an earlier holder of this run has left on disk. Its program outlived it, in tmux, and the log goes on behind it. A
 * record that it was killed while writing is cut off: nothing may follow half of one. What cannot be read is passed over.
 */
import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { decodeSegment, type LogRecord, positionAfter, segmentName, segmentSeq } from '../wire/log.ts'

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
  // One that begins where the log goes on is written anew under the same name.
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
