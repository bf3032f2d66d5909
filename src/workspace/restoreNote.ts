/** The note of the checkpoint that is taken before a restore: by it, whoever looks at it later knows what it takes back. */
import type { CheckpointId } from '../base/ids.ts'

const BEFORE_RESTORING = 'before restoring '

export const restoreNote = (restored: CheckpointId): string => `${BEFORE_RESTORING}${restored}`

/** The id of the checkpoint that was restored right after; null for any other note. */
export const restoredAfter = (note: string | null): string | null =>
  note?.startsWith(BEFORE_RESTORING) === true ? note.slice(BEFORE_RESTORING.length) : null
