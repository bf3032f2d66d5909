/**
 * Anchors: snapshots beside a run's log from which its older output can be read again without starting at the first byte.
 * They are shortcuts only. A missing or damaged anchor costs time, but no line.
 */
import { open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Snapshot } from '../../screen/snapshot/snapshot.ts'
import { decodeSnapshot, encodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { trip } from '../base/trip.ts'

/** `top` is the line at the top of the screen, `from` the oldest one in the history above it. */
export type Anchor = { readonly seq: number; readonly from: number; readonly top: number }

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** A damaged file must not be taken for gigabytes. */
const LARGEST_BYTES = 64 << 20
const UNFINISHED = '.new'
const NAME = /^(\d{15})-(\d{15})-(\d{15})\.anchor$/

const padded = (number: number): string => String(number).padStart(15, '0')
/** The directory listing is the index. */
const nameOf = ({ seq, from, top }: Anchor): string => `${padded(seq)}-${padded(from)}-${padded(top)}.anchor`

export const anchorSeq = (name: string): number | null => {
  const seq = NAME.exec(name)?.[1]
  return seq === undefined ? null : Number(seq)
}

/** The line at the top of its screen. */
export const anchorTop = (name: string): number | null => {
  const top = NAME.exec(name)?.[3]
  return top === undefined ? null : Number(top)
}

/** Oldest first. */
export async function listAnchors(directory: string): Promise<Anchor[]> {
  const names = await readdir(directory).catch(() => []) // without its directory a run has neither log nor anchors
  const anchors = names.flatMap((name) => {
    const [, seq, from, top] = NAME.exec(name) ?? []
    return seq === undefined ? [] : [{ seq: Number(seq), from: Number(from), top: Number(top) }]
  })
  return anchors.sort((a, b) => a.seq - b.seq)
}

/** Null if it is missing or cannot be used. */
export async function readAnchor(directory: string, anchor: Anchor): Promise<Snapshot | null> {
  try {
    const bytes = await decompress(await readFile(`${directory}/${nameOf(anchor)}`), { maxOutputLength: LARGEST_BYTES })
    const snapshot = decodeSnapshot(bytes)
    return snapshot?.lines.top === anchor.top ? snapshot : null
  } catch {
    return null // dropped meanwhile, or damaged
  }
}

/** It is there whole or not at all, also after a power cut. */
export async function writeAnchor(directory: string, anchor: Anchor, snapshot: Snapshot): Promise<void> {
  const path = `${directory}/${nameOf(anchor)}`
  const bytes = await compress(encodeSnapshot(snapshot), QUICK)
  trip('anchor:before-write')
  const file = await open(path + UNFINISHED, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
  trip('anchor:before-rename')
  await rename(path + UNFINISHED, path)
  trip('anchor:after-rename')
}

export async function dropAnchor(directory: string, anchor: Anchor): Promise<void> {
  await unlink(`${directory}/${nameOf(anchor)}`).catch(() => undefined)
}

/** What a daemon that died while writing has left. */
export async function dropUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => []))
    if (name.endsWith(`.anchor${UNFINISHED}`)) await unlink(`${directory}/${name}`).catch(() => undefined)
}
