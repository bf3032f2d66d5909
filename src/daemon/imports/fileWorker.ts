/**
 * A thread that reads or writes one export and ends. Whatever the file holds, the daemon does not wait for it, and memory or
 * time that it takes is the thread's own.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../base/assertNever.ts'
import { systemReason } from '../../base/systemReason.ts'
import { readRegularBytesSync } from '../../client/regularFile.ts'
import { repaintSnapshot } from '../../screen/repaintSnapshot.ts'
import { blake3 } from '../../store/blake3.ts'
import { decodeExport, type Exported, encodeExport, MOST_PACKED_BYTES } from '../../store/exportFile.ts'
import { publish, writeWhole } from '../../store/files.ts'
import { isSealed, SEAL_BYTES, seal, unseal } from '../../store/seal.ts'
import type { KeptSnapshot } from '../../store/store.ts'
import type { ScreenRef } from '../../workspace/checkpoint/checkpoint.ts'
import { trip } from '../base/trip.ts'
import type { FileJob, FileOutcome } from './fileThread.ts'

const failed = (why: string): FileOutcome => ({ kind: 'failed', why })

async function perform(job: FileJob): Promise<FileOutcome> {
  try {
    switch (job.kind) {
      case 'read':
        return await read(job)
      case 'write':
        return write(job)
      case 'repaint':
        return { kind: 'repainted', snapshots: await repaintedInPlace(job.snapshots) }
    }
    return assertNever(job)
  } catch (error) {
    return failed(systemReason(error))
  }
}

async function read({ file, passphrase }: Extract<FileJob, { kind: 'read' }>): Promise<FileOutcome> {
  const bytes = readRegularBytesSync(file, { mostBytes: MOST_PACKED_BYTES + SEAL_BYTES })
  if (isSealed(bytes) && passphrase === null) return { kind: 'sealed' }
  const opened = isSealed(bytes) ? unseal(bytes, passphrase ?? '') : ({ ok: true, bytes } as const)
  if (!opened.ok) return opened.why === 'wrong passphrase' ? { kind: 'passphraseWrong' } : failed(SEAL_FAULTS[opened.why])
  const decoded = decodeExport(opened.bytes)
  return decoded.ok ? { kind: 'read', exported: await repainted(decoded.value) } : failed(decoded.why)
}

const SEAL_FAULTS = {
  damaged: 'it is sealed, and damaged or cut short',
  unknown: 'a newer version of Holdfast sealed it, or opening it needs too much memory or time',
} as const

/** Foreign screens are painted anew; bytes that are no snapshot are left out. */
async function repainted({ checkpoint, host, screens }: Exported): Promise<Exported> {
  const painted = new Map<string, Pick<ScreenRef, 'seq' | 'hash'>>()
  const pictures = new Map<string, Uint8Array>()
  for (const [theirs, bytes] of screens) {
    const picture = await repaintSnapshot(bytes)
    if (picture === null) continue
    const hash = blake3(picture.bytes)
    painted.set(theirs, { seq: picture.seq, hash })
    pictures.set(hash, picture.bytes)
  }
  const terminals = checkpoint.terminals.map(({ screen, ...entry }) => {
    const own = screen === null ? undefined : painted.get(screen.hash)
    return { ...entry, screen: screen === null || own === undefined ? null : { run: screen.run, ...own } }
  })
  return { checkpoint: { ...checkpoint, terminals }, host, screens: pictures }
}

/** They stay where they are in the numbers of their runs, whose logs may be there too. */
async function repaintedInPlace(snapshots: readonly KeptSnapshot[]): Promise<readonly KeptSnapshot[]> {
  const painted: KeptSnapshot[] = []
  for (const { run, seq, bytes } of snapshots) {
    const picture = await repaintSnapshot(bytes, { isInPlace: true })
    if (picture !== null) painted.push({ run, seq, bytes: picture.bytes })
  }
  return painted
}

function write({ file, exported, force, passphrase }: Extract<FileJob, { kind: 'write' }>): FileOutcome {
  if (existsSync(file) && !force) return { kind: 'exists' }
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const plain = encodeExport(exported)
    if (plain.length > MOST_PACKED_BYTES) return failed(`it would have ${plain.length} bytes`)
    const bytes = passphrase === null ? plain : seal(plain, passphrase)
    writeWhole(draft, bytes, 'wx')
    trip('export:written')
    publish(draft, file)
    return { kind: 'written', bytes: bytes.length }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

void perform(workerData as FileJob).then((outcome) => parentPort?.postMessage(outcome))
