import { refusals, refused } from '../../base/refusal.ts'
import { findTerminal } from '../../workspace/find.ts'
import type { Handler } from '../connection.ts'
import { loadCheckpoint } from '../findCheckpoint.ts'

export const checkpointScreen = (async (daemon, params) => {
  const loaded = await loadCheckpoint(daemon, params.checkpoint)
  if (!loaded.ok) return loaded
  const { id: checkpoint, terminals } = loaded.value
  const found = findTerminal(
    params.terminal,
    terminals.map(({ terminal: { id, name }, screen }) => ({ id, name, screen })),
  )
  const missing = (why: string, terminal = params.terminal) => refused(refusals.checkpointScreenMissing(checkpoint, terminal, why))
  if (!found.ok) return found.refusal.code === 'terminal-not-found' ? missing('it knows no such terminal') : found
  const { id: terminal, screen } = found.value
  if (screen === null) return missing('none had been kept then')
  const kept = await daemon.store.checkpointScreen(checkpoint, terminal)
  if (kept === null) return missing('it is damaged')
  const picture = await daemon.screens.picture(kept.bytes, params.format)
  return picture === null ? missing('it cannot be decoded') : { ok: true, result: { checkpoint, terminal, content: picture.content } }
}) satisfies Handler<'checkpoint.screen'>
