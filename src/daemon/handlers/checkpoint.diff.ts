import { done, type Result } from '../../base/refusal.ts'
import type { WorkspaceState } from '../../workspace/checkpoint.ts'
import { diffCheckpoints } from '../../workspace/checkpointDiff.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { loadCheckpoint } from '../findCheckpoint.ts'

type Side = { readonly label: string; readonly state: WorkspaceState }

export const diffCheckpoint: Handler<'checkpoint.diff'> = async (daemon, params) => {
  const from = await sideOf(daemon, params.from)
  if (!from.ok) return from
  const to = await sideOf(daemon, params.to)
  if (!to.ok) return to
  const diff = diffCheckpoints(from.value.state, to.value.state)
  return { ok: true, result: { from: from.value.label, to: to.value.label, diff } }
}

async function sideOf(daemon: Daemon, ref: string): Promise<Result<Side>> {
  if (ref === 'now') return done({ label: 'now', state: await daemon.checkpoints.now() })
  const loaded = await loadCheckpoint(daemon, ref)
  return loaded.ok ? done({ label: loaded.value.id, state: loaded.value }) : loaded
}
