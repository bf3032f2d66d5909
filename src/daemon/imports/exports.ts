/** Workspaces as files: written whole or not at all, without secrets, and without screens unless the user wants them. */
import { isAbsolute } from 'node:path'
import { assertNever } from '../../base/assertNever.ts'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Exported } from '../../store/exportFile.ts'
import type { Store } from '../../store/store.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../../workspace/checkpoint/checkpointHost.ts'
import { redactTerminal } from '../../workspace/terminal/redactTerminal.ts'
import { type FileOutcome, perform } from './fileThread.ts'

type Exporting = { readonly store: Pick<Store, 'checkpointScreen'>; readonly checkpoints: { readonly host: HostId } }

/** Anyone may read an export, and secrets cannot be removed from what programs have printed: screens are left out by default. */
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
