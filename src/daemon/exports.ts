/** Workspaces as files: written whole or not at all, read only when they are what they say. */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { makeId } from '../base/ids.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { systemReason } from '../base/systemReason.ts'
import { decodeExport, type Exported, encodeExport, MOST_PACKED_BYTES } from '../store/exportFile.ts'
import { publish, writeWhole } from '../store/files.ts'
import { idsOf, withOtherIds } from '../workspace/beside.ts'
import type { Checkpoint } from '../workspace/checkpoint.ts'
import { checkName } from '../workspace/name.ts'
import { redactTerminal } from '../workspace/redact.ts'
import { isSize } from '../workspace/terminal.ts'
import type { Daemon } from './daemon.ts'
import { trip } from './trip.ts'

/** Without secrets: what an export gives away, it gives to anybody. */
export async function exportedFrom(daemon: Daemon, checkpoint: Checkpoint): Promise<Exported> {
  const screens = new Map<string, Uint8Array>()
  for (const { terminal, screen } of checkpoint.terminals) {
    const kept = screen === null ? null : await daemon.store.checkpointScreen(checkpoint.id, terminal.id)
    if (screen !== null && kept !== null) screens.set(screen.hash, kept.bytes)
  }
  const terminals = checkpoint.terminals.map((entry) => ({ ...entry, terminal: redactTerminal(entry.terminal) }))
  const { machine, name } = daemon.checkpoints.host
  return { checkpoint: { ...checkpoint, terminals }, host: { machine, name, boot: '' }, screens }
}

export function writeExport(file: string, exported: Exported, { force }: { readonly force: boolean }): Result<{ readonly bytes: number }> {
  if (!isAbsolute(file)) return refused(refusals.exportFailed(file, 'its path is not absolute'))
  if (existsSync(file) && !force) return refused(refusals.exportExists(file))
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const bytes = encodeExport(exported)
    if (bytes.length > MOST_PACKED_BYTES) return refused(refusals.exportFailed(file, `it would have ${bytes.length} bytes`))
    writeWhole(draft, bytes, 'wx')
    trip('export:written')
    publish(draft, file)
    return done({ bytes: bytes.length })
  } catch (error) {
    rmSync(draft, { force: true })
    return refused(refusals.exportFailed(file, systemReason(error)))
  }
}

/** A pipe or a device in its place could keep the reader for ever. */
export function readExport(file: string): Result<Exported> {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = fstatSync(handle)
      if (!found.isFile()) return refused(refusals.importUnusable(file, 'it is not a file'))
      if (found.size > MOST_PACKED_BYTES) return refused(refusals.importUnusable(file, `it is too large: ${found.size} bytes`))
      const decoded = decodeExport(readFileSync(handle))
      const why = decoded.ok ? faultOf(decoded.value) : decoded.why
      return decoded.ok && why === null ? done(decoded.value) : refused(refusals.importUnusable(file, why ?? ''))
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    return refused(refusals.importUnusable(file, systemReason(error)))
  }
}

/** Whoever made the file may have meant harm: what no terminal of ours can be is not let in. */
function faultOf({ checkpoint: { terminals } }: Exported): string | null {
  const odd = terminals.find(({ terminal: { name, spec } }) => !isSize(spec.size) || (name !== null && !checkName(name).ok))
  if (odd !== undefined) return `its terminal ${odd.terminal.id} has a size or a name that none can have`
  return new Set(terminals.map(({ terminal }) => terminal.id)).size === terminals.length ? null : 'it has a terminal twice'
}

/** Ids that are taken here are changed; runs always are, because their logs stay where they were. */
export function madeForHere(daemon: Daemon, checkpoint: Checkpoint): Checkpoint {
  const theirs = idsOf(checkpoint)
  const ours = idsOf({ topology: daemon.topology, terminals: [] }).places
  const others = new Map<string, string>([
    ...theirs.runs.map((run) => [run, daemon.makeRunId()] as const),
    ...theirs.terminals
      .filter((id) => daemon.registry.all().some((here) => here.id === id))
      .map((id) => [id, daemon.makeTerminalId()] as const),
    ...theirs.places
      .filter((id) => ours.includes(id))
      .map((id) => [id, makeId(id.startsWith('g') ? 'group' : 'workspace', randomBytes)] as const),
  ])
  return { ...checkpoint, ...withOtherIds({ topology: checkpoint.topology, terminals: checkpoint.terminals }, others) }
}
