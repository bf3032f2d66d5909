/** Reads a run's log from disk, for runs whose holder is gone. What is damaged is left out and named, never guessed. */
import { readdirSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { decodeSegment, type LogRecord, segmentSeq } from '../wire/log.ts'
import type { ExitStatus } from '../workspace/terminal.ts'

export type RunLog = {
  readonly records: readonly LogRecord[]
  readonly exit: ExitStatus | null
  /** Sentences; empty when every byte was readable. */
  readonly faults: readonly string[]
}

export function readRunLog(directory: string): RunLog {
  const records: LogRecord[] = []
  const faults: string[] = []
  for (const name of segmentNames(directory, faults)) {
    try {
      const segment = decodeSegment(readFileSync(`${directory}/${name}`), crc32)
      records.push(...segment.records)
      if (segment.fault !== null) faults.push(`${name}: ${segment.fault} at byte ${segment.end}`)
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`)
    }
  }
  const exit = records.findLast((record) => record.kind === 'exit')
  return { records, exit: exit?.status ?? null, faults }
}

function segmentNames(directory: string, faults: string[]): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => segmentSeq(name) !== null)
      .sort()
  } catch (error) {
    faults.push((error as Error).message)
    return []
  }
}
