/**
 * A checkpoint with its screens in one file, to be taken elsewhere. The file is whole or it is refused.
 *
 *   magic (8) · version (4) · length unpacked (8) · BLAKE3 of version, length and the rest (32) · the rest: brotli of
 *   length of the manifest (4) · manifest (JSON) · screens, one after the other
 *
 * Numbers have their highest byte first.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Checkpoint } from '../workspace/checkpoint.ts'
import type { HostId } from '../workspace/checkpointHost.ts'
import { blake3 } from './blake3.ts'
import { type Decoded, decodeCheckpoint, decodeHostId } from './record.ts'

export type Exported = {
  readonly checkpoint: Checkpoint
  readonly host: HostId
  /** By the hash that the checkpoint knows them by. */
  readonly screens: ReadonlyMap<string, Uint8Array>
}

export const MOST_PACKED_BYTES = 256 << 20
const MOST_UNPACKED_BYTES = 512 << 20 // a thousand screens with full history
const VERSION = 1
const MAGIC = Buffer.from('HFEXPORT')
const HEADER_BYTES = MAGIC.length + 4 + 8 + 32
const SUMMED_FROM = MAGIC.length + 4 + 8
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type Manifest = {
  readonly checkpoint: unknown
  readonly host: unknown
  readonly screens: readonly { readonly hash: string; readonly bytes: number }[]
}

export function encodeExport({ checkpoint, host, screens }: Exported): Buffer {
  const list = [...screens].map(([hash, bytes]) => ({ hash, bytes: bytes.length }))
  const manifest = Buffer.from(JSON.stringify({ checkpoint, host, screens: list } satisfies Manifest))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(manifest.length)
  const body = Buffer.concat([length, manifest, ...screens.values()])
  const head = Buffer.alloc(SUMMED_FROM)
  MAGIC.copy(head)
  head.writeUInt32BE(VERSION, MAGIC.length)
  head.writeBigUInt64BE(BigInt(body.length), MAGIC.length + 4)
  const packed = brotliCompressSync(body, QUICK)
  return Buffer.concat([head, sumOf(head, packed), packed])
}

const sumOf = (head: Buffer, packed: Buffer): Buffer => Buffer.from(blake3(Buffer.concat([head.subarray(MAGIC.length), packed])), 'hex')

const no = (why: string) => ({ ok: false, why }) as const

export function decodeExport(bytes: Buffer): Decoded<Exported> {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return no('it is not an export of Holdfast')
  const version = bytes.readUInt32BE(MAGIC.length)
  if (version > VERSION) return no(`it was written by a newer Holdfast (format ${version}, this one reads up to ${VERSION})`)
  const head = bytes.subarray(0, SUMMED_FROM)
  const packed = bytes.subarray(HEADER_BYTES)
  if (!sumOf(head, packed).equals(bytes.subarray(SUMMED_FROM, HEADER_BYTES))) return no('it is damaged or cut short: its checksum is wrong')
  const length = head.readBigUInt64BE(MAGIC.length + 4)
  if (length > BigInt(MOST_UNPACKED_BYTES)) return no(`it is too large: ${length} bytes unpacked, of ${MOST_UNPACKED_BYTES} at most`)
  try {
    const body = brotliDecompressSync(packed, { maxOutputLength: Number(length) + 1 })
    return body.length === Number(length) ? decodeBody(body) : no('its length is not what it says')
  } catch (error) {
    return no(`it cannot be unpacked: ${(error as Error).message}`)
  }
}

/** The checksum was right, so that somebody meant this; who knows who. */
function decodeBody(body: Buffer): Decoded<Exported> {
  const end = 4 + (body.length < 4 ? 0 : body.readUInt32BE(0))
  if (end > body.length) return no('its manifest is cut off')
  const manifest = JSON.parse(body.toString('utf8', 4, end)) as Partial<Manifest> | null
  const checkpoint = decodeCheckpoint(JSON.stringify(manifest?.checkpoint) ?? '')
  if (!checkpoint.ok) return no(`its checkpoint cannot be read: ${checkpoint.why}`)
  const screens = new Map<string, Uint8Array>()
  let at = end
  for (const { hash, bytes } of Array.isArray(manifest?.screens) ? manifest.screens : []) {
    if (!Number.isSafeInteger(bytes) || bytes < 0 || at + bytes > body.length) return no('its screens are cut off')
    const screen = new Uint8Array(body.subarray(at, at + bytes))
    if (blake3(screen) !== hash) return no('a screen in it is not what it says')
    screens.set(hash, screen)
    at += bytes
  }
  const host = decodeHostId(JSON.stringify(manifest?.host) ?? '')
  return { ok: true, value: { checkpoint: checkpoint.value, host, screens } }
}
