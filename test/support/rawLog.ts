import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * Reads a run's log from its files without any code of the product: what is on disk is judged here, by the format alone.
 * A record: magic 0xa7, kind, length (4, little endian), seq (8), checksum (4) over all but itself, payload.
 */
export type RawRecord = { readonly kind: 'start' | 'output' | 'resize' | 'exit' | 'skip'; readonly seq: number; readonly payload: Buffer }
/** `rest` is what follows the last good record, in bytes. */
export type RawSegment = { readonly name: string; readonly records: readonly RawRecord[]; readonly rest: number }

const KINDS = ['start', 'output', 'resize', 'exit', 'skip'] as const
const HEADER = 18

export function rawLog(directory: string): RawSegment[] {
  const names = readdirSync(directory).filter((name) => /^\d{15}\.log$/.test(name))
  return names.sort().map((name) => rawSegment(name, readFileSync(join(directory, name))))
}

function rawSegment(name: string, bytes: Buffer): RawSegment {
  const records: RawRecord[] = []
  let at = 0
  while (bytes.length - at >= HEADER && bytes[at] === 0xa7) {
    const end = at + HEADER + bytes.readUInt32LE(at + 2)
    const payload = bytes.subarray(at + HEADER, end)
    const kind = KINDS[bytes[at + 1] ?? KINDS.length]
    if (end > bytes.length || kind === undefined) break
    if (bytes.readUInt32LE(at + 14) !== crc32(payload, crc32(bytes.subarray(at, at + 14)))) break
    records.push({ kind, seq: Number(bytes.readBigUInt64LE(at + 6)), payload })
    at = end
  }
  return { name, records, rest: bytes.length - at }
}

/** Where the log ends: how many bytes the run had printed at its last good record. */
export function rawEnd(segments: readonly RawSegment[]): number {
  const last = segments.flatMap(({ records }) => records).at(-1)
  if (last === undefined) return 0
  return last.kind === 'output' ? last.seq + last.payload.length : last.seq
}

export const sizeOf = ({ payload }: RawRecord): { cols: number; rows: number } =>
  (JSON.parse(payload.toString()) as { size: { cols: number; rows: number } }).size
