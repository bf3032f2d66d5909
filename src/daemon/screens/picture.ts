/** What a snapshot shows, in one of the formats, without building its history again: for those who only look. */
import { NO_STATUS, parseProgramStatus } from '../../agents/programStatus.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import { createScreen } from '../../screen/screen.ts'
import { decodeSnapshotScreen } from '../../screen/snapshot/snapshotBytes.ts'
import { endsAt } from '../history/runLog.ts'
import type { AtTheEnd, Gist, PictureReply } from './screenMessages.ts'

/** Null when it is damaged or of a version that is not known, or is not what was there in the end. */
export async function pictureOf(bytes: Uint8Array, format: LineFormat, end: AtTheEnd | null): Promise<PictureReply | null> {
  const snapshot = decodeSnapshotScreen(bytes)
  if (snapshot === null || (end !== null && !endsAt(end, end.seq))) return null
  const screen = createScreen({ cols: snapshot.cols, rows: snapshot.rows, scrollback: 0 })
  try {
    await screen.restore(snapshot)
    const content = format === 'json' ? JSON.stringify(screen.json({ history: 0 })) : screen[format]({ history: 0 })
    return { content, lines: { first: screen.lines.first, from: screen.lines.wholeRows(0).from } }
  } finally {
    screen.dispose()
  }
}

/** Null when it is damaged or of a version that is not known. */
export function gistOf(bytes: Uint8Array): Gist | null {
  const snapshot = decodeSnapshotScreen(bytes)
  if (snapshot === null) return null
  const { cwd, status = '' } = snapshot.program
  return { cwd, status: status === '' ? null : (parseProgramStatus(status) ?? NO_STATUS), top: snapshot.lines.top }
}
