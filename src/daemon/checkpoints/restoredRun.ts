/**
 * A run that shows what a checkpoint showed, and nothing later: the log of the run it was taken of, up to that moment,
 * under a new id. The run itself stays as it is, so that the restore can be undone.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { RunId } from '../../base/ids.ts'
import { publish, syncDirectory, writeWhole } from '../../store/files.ts'
import type { KeptSnapshot } from '../../store/store.ts'
import { HOLDER_PROTOCOL, type HolderCard } from '../../wire/holder.ts'
import { encodeRecord, type LogRecord, positionAfter, segmentName } from '../../wire/log.ts'
import { CLOSED_SUFFIX, holderCardPath, type Paths, runDirectory, runSocket } from '../../wire/paths.ts'
import type { Size, Terminal } from '../../workspace/terminal/terminal.ts'
import { anchorSeq } from '../history/anchors.ts'
import { BEFORE_FILE } from '../history/runBefore.ts'
import { readRunLog } from '../history/runLog.ts'

/** A file in the directory of a run whose terminal a restore has forgotten: the run stays only as long as there is room. */
export const FORGOTTEN_MARK = 'forgotten'

export type RestoredRun = {
  readonly run: RunId
  readonly terminal: Terminal
  readonly shown: Pick<KeptSnapshot, 'run' | 'seq'>
  readonly size: Size
  readonly version: string
  readonly now: number
}

/** Whole or not at all: until it is whole, its name marks it as unused, and the next start removes it. */
export function writeRestoredRun(paths: Paths, restored: RestoredRun): void {
  const directory = runDirectory(paths, restored.run)
  const draft = directory + CLOSED_SUFFIX
  const source = runDirectory(paths, restored.shown.run)
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const records = recordsUpTo(source, restored)
  const bytes = records.map((record) => encodeRecord(record, crc32))
  writeWhole(`${draft}/${segmentName(records[0]?.seq ?? 0)}`, Buffer.concat(bytes))
  for (const name of existsSync(source) ? readdirSync(source) : [])
    if (name === BEFORE_FILE || (anchorSeq(name) ?? Number.POSITIVE_INFINITY) <= restored.shown.seq)
      copyFileSync(`${source}/${name}`, `${draft}/${name}`)
  writeWhole(holderCardPath(draft), JSON.stringify(cardOf(paths, restored)))
  syncDirectory(draft)
  publish(draft, directory)
}

export function removeRestoredRun(paths: Paths, run: RunId): void {
  rmSync(runDirectory(paths, run), { recursive: true, force: true })
}

/** In one segment. Where the log of then is gone, it begins with the screen. */
function recordsUpTo(source: string, { run, shown, size, now }: RestoredRun): readonly LogRecord[] {
  const log = existsSync(source) ? readRunLog({ directory: source, run: shown.run }).records : []
  const first = log.find(({ kind, seq }) => kind === 'start' && seq <= shown.seq)
  if (first?.kind !== 'start') return [{ kind: 'start', seq: shown.seq, run, size, at: now }]
  const records: LogRecord[] = [{ ...first, run }]
  let position = first.seq
  const add = (record: LogRecord): void => {
    const after = positionAfter(record, position)
    if (after === null) return
    records.push(record)
    position = after
  }
  for (const record of log) {
    if (record === first || record.seq >= shown.seq || record.kind === 'exit') continue
    if (record.kind === 'start') {
      add(record.seq > position ? { kind: 'skip', seq: record.seq, from: position, size: record.size } : { ...record, kind: 'resize' })
    } else if (record.kind === 'output') add({ ...record, bytes: record.bytes.subarray(0, shown.seq - record.seq) })
    else add(record)
  }
  // The size at the end is the screen's, whatever it was resized to afterwards.
  add(position < shown.seq ? { kind: 'skip', seq: shown.seq, from: position, size } : { kind: 'resize', seq: shown.seq, size, at: now })
  return records
}

const NO_PROCESS = 2 ** 31 - 1 // above every pid that a system gives out

/** Of a holder that never was. */
function cardOf(paths: Paths, { run, terminal, size, version, now }: RestoredRun): HolderCard {
  const { command, args, cwd } = terminal.spec
  const noProcess = { holderPid: NO_PROCESS, holderStart: '', pid: NO_PROCESS, pidStart: '' }
  const { id } = terminal
  return {
    speaks: HOLDER_PROTOCOL,
    version,
    terminal: id,
    run,
    ...noProcess,
    socketPath: runSocket(paths, run),
    startedAt: now,
    command,
    args,
    cwd,
    size,
  }
}
