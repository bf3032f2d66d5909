/**
 * A checkpoint with its screens in one file, to be taken elsewhere. The file is whole or it is refused.
 *
 *   magic (8) · version (4) · length unpacked (8) · BLAKE3 of version, length and the rest (32) · the rest: brotli of
 *   length of the manifest (4) · manifest (JSON) · screens, one after the other
 *
 * Numbers have their highest byte first.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Checkpoint } from '../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../workspace/checkpoint/checkpointHost.ts'
import { blake3 } from './blake3.ts'
import { type Decoded, decodeCheckpoint, decodeHostId } from './record.ts'

export type Exported = {
  readonly checkpoint: Checkpoint
  readonly host: HostId
  /** By the hash that the checkpoint knows them by. */
  readonly screens: ReadonlyMap<string, Uint8Array>
}

export const MOST_PACKED_BYTES = 32 << 20
const MOST_UNPACKED_BYTES = 64 << 20 // hundreds of screens with full history; unpacking takes twice as much memory
const MOST_MANIFEST_BYTES = 16 << 20
const MOST_TERMINALS = 2_000
const MOST_PLACES = 2_000 // groups and workspaces
const DEEPEST = 64 // brackets: a layout with some thirty splits inside each other
const LONGEST_REASON = 300
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

/** Throws a sentence where no import would take it. */
export function encodeExport({ checkpoint, host, screens }: Exported): Buffer {
  const list = [...screens].map(([hash, bytes]) => ({ hash, bytes: bytes.length }))
  const manifest = Buffer.from(JSON.stringify({ checkpoint, host, screens: list } satisfies Manifest))
  if (manifest.length > MOST_MANIFEST_BYTES) throw new Error(`its records have ${manifest.length} bytes, of ${MOST_MANIFEST_BYTES} at most`)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(manifest.length)
  const body = Buffer.concat([length, manifest, ...screens.values()])
  if (body.length > MOST_UNPACKED_BYTES) throw new Error(`it has ${body.length} bytes, of ${MOST_UNPACKED_BYTES} at most`)
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

/** The checksum was right, so the file is as its author wrote it. The author is unknown. */
function decodeBody(body: Buffer): Decoded<Exported> {
  const size = body.length < 4 ? 0 : body.readUInt32BE(0)
  const end = 4 + size
  if (end > body.length) return no('its manifest is cut off')
  if (size > MOST_MANIFEST_BYTES) return no(`its manifest is too large: ${size} bytes, of ${MOST_MANIFEST_BYTES} at most`)
  const text = body.subarray(4, end)
  if (isDeeper(text, DEEPEST)) return no(`its manifest is nested more than ${DEEPEST} deep`)
  const manifest = JSON.parse(text.toString('utf8')) as Partial<Manifest> | null
  const tooMany = excessOf(manifest)
  if (tooMany !== null) return no(tooMany)
  const checkpoint = decodeCheckpoint(JSON.stringify(manifest?.checkpoint) ?? '')
  if (!checkpoint.ok) return no(`its checkpoint cannot be read: ${checkpoint.why.slice(0, LONGEST_REASON)}`)
  const { terminals } = checkpoint.value
  if (new Set(terminals.map(({ terminal }) => terminal.id)).size < terminals.length) return no('it has a terminal twice')
  const screens = screensIn(body.subarray(end), Array.isArray(manifest?.screens) ? manifest.screens : [])
  if (!screens.ok) return screens
  const host = decodeHostId(JSON.stringify(manifest?.host) ?? '')
  return { ok: true, value: { checkpoint: checkpoint.value, host, screens: screens.value } }
}

function screensIn(bytes: Buffer, list: Manifest['screens']): Decoded<ReadonlyMap<string, Uint8Array>> {
  const screens = new Map<string, Uint8Array>()
  let at = 0
  for (const { hash, bytes: length } of list) {
    if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.length) return no('its screens are cut off')
    const screen = new Uint8Array(bytes.buffer, bytes.byteOffset + at, length) // a view: a copy would double what a file costs
    if (blake3(screen) !== hash) return no('a screen in it is not what it says')
    screens.set(hash, screen)
    at += length
  }
  return { ok: true, value: screens }
}

/** Counted before anything is decoded: what is wrong with a million entries would be a million sentences. */
function excessOf(manifest: Partial<Manifest> | null): string | null {
  const checkpoint = manifest?.checkpoint as { terminals?: unknown; topology?: { groups?: unknown; dock?: unknown } } | null | undefined
  const groups = listOf(checkpoint?.topology?.groups)
  const workspaces = groups.flatMap((group) => listOf((group as { workspaces?: unknown } | null)?.workspaces))
  const terminals = [checkpoint?.terminals, checkpoint?.topology?.dock, manifest?.screens].map((list) => listOf(list).length)
  if (Math.max(...terminals) > MOST_TERMINALS) return `it has more than ${MOST_TERMINALS} terminals`
  return groups.length + workspaces.length > MOST_PLACES ? `it has more than ${MOST_PLACES} groups and workspaces` : null
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]]

/** Of JSON, checked before it is walked. */
function isDeeper(json: Uint8Array, deepest: number): boolean {
  let [depth, isText] = [0, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (OPEN.includes(byte)) {
      depth++
      if (depth > deepest) return true
    } else if (CLOSE.includes(byte)) depth--
  }
  return false
}
