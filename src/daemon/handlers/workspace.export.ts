import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { onlyWorkspace } from '../../workspace/beside.ts'
import { findWorkspace } from '../../workspace/find.ts'
import { workspacesOf } from '../../workspace/topology.ts'
import type { Handler } from '../connection.ts'
import { checkpointFor } from '../findCheckpoint.ts'
import { exportedFrom, writeExport } from '../imports/exports.ts'

/** Without a checkpoint that is named, everything as it is now. */
export const exportWorkspace: Handler<'workspace.export'> = async (
  daemon,
  { file, only, checkpoint: ref, force, screens = false, passphrase },
) => {
  let named = ref
  try {
    named ??= (await daemon.checkpoints.take('event', 'for an export')).id
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  const found = await checkpointFor(daemon, named)
  if (!found.ok) return found
  const workspace = only === undefined ? null : findWorkspace(only, workspacesOf(found.value.topology))
  if (workspace?.ok === false) return workspace
  const checkpoint = workspace === null ? found.value : onlyWorkspace(found.value, workspace.value.id)
  const exported = await exportedFrom(daemon, checkpoint, { withScreens: screens })
  const written = await writeExport(file, exported, { force, passphrase: passphrase ?? null })
  if (!written.ok) return written
  const { bytes } = written.value
  return {
    ok: true,
    result: {
      ...{ file, bytes, checkpoint: checkpoint.id, terminals: checkpoint.terminals.length, screens: exported.screens.size },
      sealed: passphrase !== undefined,
    },
  }
}
