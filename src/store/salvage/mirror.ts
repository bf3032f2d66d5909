/**
 * A copy of the newest good checkpoint and of the one before it, as files beside the database: small, without screens,
 * and readable when the database is not. A file is whole or it is not used.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import { blake3 } from '../blake3.ts'
import { syncDirectory, writeWhole } from '../files.ts'
import { decodeCheckpoint } from '../record.ts'
import { noTrip, type Trip } from '../trip.ts'

const FORMAT = 1
const NEWEST_FIRST = ['latest.json', 'previous.json'] as const
const DRAFT = 'next.json'

export const mirrorOf = (databaseFile: string): string => join(dirname(databaseFile), 'checkpoints')

export function writeMirror(directory: string, checkpoint: Checkpoint, trip: Trip = noTrip): void {
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    syncDirectory(dirname(directory))
  }
  chmodSync(directory, 0o700)
  const [latest, previous] = NEWEST_FIRST.map((name) => join(directory, name)) as [string, string]
  const draft = join(directory, DRAFT)
  trip('mirror begun')
  writeWhole(draft, textOf(checkpoint))
  trip('mirror written')
  if (existsSync(latest)) renameSync(latest, previous)
  trip('mirror before moved')
  renameSync(draft, latest)
  trip('mirror renamed')
  syncDirectory(directory)
  trip('mirror synced')
}

/** Each copy as `change` says; null takes it away, and so does a copy that cannot be read. */
export function changeMirror(directory: string, change: (checkpoint: Checkpoint) => Checkpoint | null): void {
  if (!existsSync(directory)) return
  const draft = join(directory, DRAFT)
  for (const file of NEWEST_FIRST.map((name) => join(directory, name))) {
    const read = readOne(file)
    if (read === null) continue
    const changed = typeof read === 'string' ? null : change(read)
    if (changed === read) continue
    if (changed === null) rmSync(file, { force: true })
    else {
      writeWhole(draft, textOf(changed))
      renameSync(draft, file)
    }
  }
  rmSync(draft, { force: true }) // what a crash left
  syncDirectory(directory)
}

function textOf(checkpoint: Checkpoint): string {
  const body = JSON.stringify(checkpoint)
  return `{"format":${FORMAT},"hash":"${blake3(body)}","checkpoint":${body}}\n`
}

export type Mirrored = { readonly checkpoint: Checkpoint | null; readonly troubles: readonly string[] }

/** The newest whole one. */
export function readMirror(directory: string): Mirrored {
  const troubles: string[] = []
  for (const name of NEWEST_FIRST) {
    const read = readOne(join(directory, name))
    if (read === null) continue
    if (typeof read !== 'string') return { checkpoint: read, troubles }
    troubles.push(`The copy checkpoints/${name} cannot be used: ${read}.`)
  }
  return { checkpoint: null, troubles }
}

/** Null when there is none; a reason when it cannot be used. */
function readOne(file: string): Checkpoint | string | null {
  if (!existsSync(file)) return null
  try {
    const { format, hash, checkpoint } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    if (format !== FORMAT) return `its format ${String(format)} is unknown`
    const body = JSON.stringify(checkpoint)
    if (blake3(body) !== hash) return 'its checksum is wrong'
    const decoded = decodeCheckpoint(body)
    return decoded.ok ? decoded.value : decoded.why
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
