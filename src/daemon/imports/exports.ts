/** Workspaces as files: written whole or not at all, without secrets, and without screens unless the user wants them. */
import { isAbsolute } from 'node:path'
import { assertNever } from '../../base/assertNever.ts'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Exported } from '../../store/exportFile.ts'
import type { Checkpoint } from '../../workspace/checkpoint.ts'
import { redactTerminal } from '../../workspace/redact.ts'
import type { Daemon } from '../daemon.ts'
import { perform } from './fileThread.ts'
import type { FileOutcome } from './messages.ts'

type Exporting = Pick<Daemon, 'store' | 'checkpoints'>

/** What an export gives away, it gives to anybody: nobody can take secrets out of what programs have printed. */
export async function exportedFrom(
  daemon: Exporting,
  checkpoint: Checkpoint,
  { withScreens }: { readonly withScreens: boolean },
): Promise<Exported> {
  const screens = new Map<string, Uint8Array>()
  for (const { terminal, screen } of withScreens ? checkpoint.terminals : []) {
    const kept = screen === null ? null : await daemon.store.checkpointScreen(checkpoint.id, terminal.id)
    if (screen !== null && kept !== null) screens.set(screen.hash, kept.bytes)
  }
  const terminals = checkpoint.terminals.map((entry) => ({
    ...entry,
    terminal: redactTerminal(entry.terminal),
    screen: withScreens ? entry.screen : null,
  }))
  const { machine, name } = daemon.checkpoints.host
  return { checkpoint: { ...checkpoint, terminals }, host: { machine, name, boot: '' }, screens }
}

export type Writing = { readonly force: boolean /** Null: it is not sealed. */; readonly passphrase: string | null }

export async function writeExport(file: string, exported: Exported, writing: Writing): Promise<Result<{ readonly bytes: number }>> {
  if (!isAbsolute(file)) return refused(refusals.exportFailed(file, 'its path is not absolute'))
  const outcome = await perform({ kind: 'write', file, exported, ...writing })
  return outcome.kind === 'written' ? done({ bytes: outcome.bytes }) : refused(refusalOf(file, outcome))
}

function refusalOf(file: string, outcome: Exclude<FileOutcome, { kind: 'written' }>): Refusal {
  switch (outcome.kind) {
    case 'exists':
      return refusals.exportExists(file)
    case 'failed':
      return refusals.exportFailed(file, outcome.why)
    case 'read':
    case 'repainted':
    case 'sealed':
    case 'passphraseWrong':
      return refusals.exportFailed(file, 'it was read instead')
  }
  return assertNever(outcome)
}
