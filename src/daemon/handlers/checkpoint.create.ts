import { refusals, refused } from '../../base/refusal.ts'
import { safeText } from '../../workspace/text.ts'
import type { Handler } from '../connection.ts'
import { findCheckpoint, summaryView } from '../findCheckpoint.ts'

const MAX_NOTE_LENGTH = 500 // characters

export const createCheckpoint: Handler<'checkpoint.create'> = async (daemon, { note }) => {
  const said = safeText(note ?? '', MAX_NOTE_LENGTH).trim()
  try {
    const { id } = await daemon.checkpoints.take('manual', said === '' ? null : said)
    const kept = await findCheckpoint(daemon, id)
    return kept.ok ? { ok: true, result: summaryView(kept.value) } : kept
  } catch (error) {
    return refused(refusals.diskFailed((error as Error).message))
  }
}
