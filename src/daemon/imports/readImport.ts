/**
 * Imports: records from other machines (exported files, copied state directories), and the export of our own. Start here: the only
 * entrance for a file. A thread (`fileWorker.ts`) reads it within bounds and repaints its screens; its records are built anew from
 * validated parts, and ids that exist here are changed. What comes out starts nothing by itself.
 */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { assertNever } from '../../base/assertNever.ts'
import { makeId, type RunId, type TerminalId } from '../../base/ids.ts'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Exported } from '../../store/exportFile.ts'
import type { Config } from '../../wire/config/config.ts'
import { idsOf, withOtherIds } from '../../workspace/checkpoint/beside.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import { checkpointFromElsewhere, type Here } from '../../workspace/checkpoint/fromElsewhere.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import { shellOf } from '../base/programs.ts'
import type { Registry } from '../terminals/registry.ts'
import { type FileOutcome, perform } from './fileThread.ts'

type Importing = {
  readonly config: Config
  readonly topology: Topology
  readonly registry: Pick<Registry, 'all'>
  makeRunId(): RunId
  makeTerminalId(): TerminalId
}

/** What records from elsewhere are judged by on this machine. */
export const hereOf = ({ config }: Pick<Importing, 'config'>, from: string): Here => ({
  agents: config.agents,
  shell: shellOf(config, {}),
  home: homedir(),
  now: Date.now(),
  from,
})

export async function readImport(daemon: Importing, file: string, passphrase: string | null): Promise<Result<Exported>> {
  if (!isAbsolute(file)) return refused(refusals.importUnusable(file, 'its path is not absolute'))
  const outcome = await perform({ kind: 'read', file, passphrase })
  if (outcome.kind !== 'read') return refused(refusalOf(file, outcome))
  const { checkpoint, host, screens } = outcome.exported
  return done({ checkpoint: madeForHere(daemon, checkpointFromElsewhere(checkpoint, hereOf(daemon, host.name))), host, screens })
}

function refusalOf(file: string, outcome: Exclude<FileOutcome, { kind: 'read' }>): Refusal {
  switch (outcome.kind) {
    case 'sealed':
      return refusals.importSealed(file)
    case 'passphraseWrong':
      return refusals.passphraseWrong(file)
    case 'failed':
      return refusals.importUnusable(file, outcome.why)
    case 'exists':
    case 'repainted':
    case 'written':
      return refusals.importUnusable(file, 'it was written instead')
  }
  return assertNever(outcome)
}

/** Ids that are taken here are changed; runs always are, because their logs stay where they were. */
function madeForHere(daemon: Importing, checkpoint: Checkpoint): Checkpoint {
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
