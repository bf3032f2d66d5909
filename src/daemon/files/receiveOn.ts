import type { Result } from '../../base/refusal.ts'
import type { Capability } from '../../wire/capability.ts'
import { reach } from '../clients/allowed.ts'
import type { Daemon } from '../daemon.ts'
import type { Upload } from './keptFiles.ts'

/** Keeps a file for a terminal that there is. */
export async function receiveOn(daemon: Daemon, upload: Upload, capability: Capability): Promise<Result<{ readonly path: string }>> {
  await daemon.booted
  const found = reach(capability, { ref: upload.terminal, need: 'send' }, daemon.registry.all())
  if (!found.ok) return found
  const { id } = found.value
  const kept = await daemon.files.receive({ ...upload, terminal: id })
  if (daemon.registry.get(id) === null) daemon.files.forget(id) // it was closed meanwhile
  return kept
}
