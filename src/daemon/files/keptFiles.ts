/**
 * Files that users drop onto a terminal, kept so that its program can read them. Uploads come in from `web/`. Each file is written under
 * a temporary name and renamed when it is whole; a failure leaves nothing behind. Their total size is bounded: the oldest are removed
 * first.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Capability } from '../../wire/capability.ts'
import { safeFileName } from '../../workspace/fileName.ts'
import { reach } from '../clients/allowed.ts'
import type { Registry } from '../terminals/registry.ts'

const MIB = 1 << 20

export type FileLimits = {
  readonly fileBytes: number
  readonly totalBytes: number
  readonly files: number
  /** How many may come at once. */
  readonly atOnce: number
  /** A sender that sends no byte for this long has gone. */
  readonly idleMs: number
}
export const FILE_LIMITS: FileLimits = { fileBytes: 50 * MIB, totalBytes: 500 * MIB, files: 5_000, atOnce: 4, idleMs: 30_000 }

const OWNER_ONLY = 0o600
const PRIVATE = 0o700
/** A file that is not whole; its path has not been told. */
const PART = '.part'

export type Upload = {
  readonly terminal: string
  /** As it was called where it comes from. */
  readonly name: string
  /** As it was announced; null where it was not. */
  readonly bytes: number | null
  readonly body: AsyncIterable<Uint8Array>
}

type Options = {
  readonly directory: string
  readonly limits?: FileLimits
  /** For tests of disks that fail. */
  readonly openFile?: (path: string) => Promise<Pick<FileHandle, 'write' | 'sync' | 'close'>>
}

export class KeptFiles {
  private readonly directory: string
  private readonly limits: FileLimits
  private readonly openFile: NonNullable<Options['openFile']>
  private coming = 0
  /** Until then a file that is not whole may be taken for a leftover. */
  private tidied: Promise<void> = Promise.resolve()

  constructor({ directory, limits = FILE_LIMITS, openFile }: Options) {
    this.directory = directory
    this.limits = limits
    this.openFile = openFile ?? ((path) => open(path, 'wx', OWNER_ONLY))
  }

  async receive(upload: Upload): Promise<Result<{ readonly path: string }>> {
    const { fileBytes, atOnce } = this.limits
    if (upload.bytes !== null && upload.bytes > fileBytes) return refused(refusals.fileTooLarge(fileBytes))
    if (this.coming >= atOnce) return refused(refusals.filesBusy())
    this.coming += 1
    try {
      await this.tidied
      return await this.write(upload)
    } finally {
      this.coming -= 1
    }
  }

  /** With its terminal all of its files go. */
  forget(terminal: string): void {
    rmSync(join(this.directory, terminal), { recursive: true, force: true })
  }

  /** What a crash left: files that are not whole, and those of terminals that are no more. */
  removeLeftovers(isKnown: (terminal: string) => boolean): Promise<void> {
    const removed = this.removeAllBut(isKnown)
    this.tidied = removed.catch(() => undefined)
    return removed
  }

  private async removeAllBut(isKnown: (terminal: string) => boolean): Promise<void> {
    for (const terminal of await readdir(this.directory).catch(() => [])) {
      const folder = join(this.directory, terminal)
      if (!isKnown(terminal)) await rm(folder, { recursive: true, force: true })
      else for (const name of await namesIn(folder)) if (name.endsWith(PART)) await rm(join(folder, name), { force: true })
    }
  }

  private async write({ terminal, name, body, bytes }: Upload): Promise<Result<{ readonly path: string }>> {
    const folder = join(this.directory, terminal)
    const path = join(folder, `${randomName()}-${safeFileName(name)}`)
    const part = `${path}${PART}`
    try {
      mkdirSync(folder, { recursive: true, mode: PRIVATE })
      const written = await this.pour(body, part)
      if (!written.ok) return written
      if (bytes !== null && written.value !== bytes) return refused(refusals.fileTorn())
      await rename(part, path)
      await this.makeRoom(path)
      return done({ path })
    } catch (error) {
      return refused(refusals.fileNotWritten(systemReason(error)))
    } finally {
      await rm(part, { force: true }).catch(() => undefined)
    }
  }

  /** Resolves with how many bytes there were. */
  private async pour(body: AsyncIterable<Uint8Array>, part: string): Promise<Result<number>> {
    const file = await this.openFile(part)
    try {
      let bytes = 0
      const pieces = body[Symbol.asyncIterator]()
      for (let next = await this.nextOf(pieces); next !== 'end'; next = await this.nextOf(pieces)) {
        if (next === 'torn') return refused(refusals.fileTorn())
        bytes += next.length
        if (bytes > this.limits.fileBytes) return refused(refusals.fileTooLarge(this.limits.fileBytes))
        await writeAll(file, next)
      }
      await file.sync()
      return done(bytes)
    } finally {
      await file.close()
    }
  }

  private async nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | 'end' | 'torn'> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'torn'>((resolve) => {
      timer = setTimeout(() => resolve('torn'), this.limits.idleMs)
    })
    const piece = pieces.next().then(
      ({ done: isDone, value }) => (isDone === true ? ('end' as const) : value),
      () => 'torn' as const, // the sender has gone
    )
    return await Promise.race([piece, late]).finally(() => clearTimeout(timer))
  }

  /** The newest file always stays. */
  private async makeRoom(newest: string): Promise<void> {
    const files = (await this.allFiles()).filter(({ path }) => path !== newest && !path.endsWith(PART)).sort((a, b) => a.at - b.at)
    let total = ((await sizeOf(newest))?.bytes ?? 0) + files.reduce((sum, { bytes }) => sum + bytes, 0)
    let count = files.length + 1
    for (const { path, bytes } of files) {
      if (total <= this.limits.totalBytes && count <= this.limits.files) return
      await rm(path, { force: true })
      total -= bytes
      count -= 1
    }
  }

  private async allFiles(): Promise<{ readonly path: string; readonly bytes: number; readonly at: number }[]> {
    const found: { path: string; bytes: number; at: number }[] = []
    for (const terminal of await readdir(this.directory).catch(() => [])) {
      const folder = join(this.directory, terminal)
      for (const name of await namesIn(folder)) {
        const size = await sizeOf(join(folder, name))
        if (size !== null) found.push({ path: join(folder, name), ...size })
      }
    }
    return found
  }
}

/** Of eight letters: no two files of one name get into each other's way. */
const randomName = (): string => randomBytes(8).reduce((name, byte) => name + (byte % 36).toString(36), '')

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

async function sizeOf(path: string): Promise<{ readonly bytes: number; readonly at: number } | null> {
  const found = await stat(path).catch(() => null) // it has just been removed
  return found === null ? null : { bytes: found.size, at: found.mtimeMs }
}

async function writeAll(file: Pick<FileHandle, 'write'>, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) from += (await file.write(bytes, from)).bytesWritten
}

type Receiving = {
  readonly booted: Promise<void>
  readonly registry: Pick<Registry, 'all' | 'get'>
  readonly files: Pick<KeptFiles, 'receive' | 'forget'>
}

/** Keeps a file for a terminal, if it exists. */
export async function receiveOn(daemon: Receiving, upload: Upload, capability: Capability): Promise<Result<{ readonly path: string }>> {
  await daemon.booted
  const found = reach(capability, { ref: upload.terminal, need: 'send' }, daemon.registry.all())
  if (!found.ok) return found
  const { id } = found.value
  const kept = await daemon.files.receive({ ...upload, terminal: id })
  if (daemon.registry.get(id) === null) daemon.files.forget(id) // it was closed meanwhile
  return kept
}
