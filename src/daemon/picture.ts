/** What a snapshot shows, in one of the formats, without anything of the run it was taken of. */
import type { LineFormat } from '../screen/numbered.ts'
import { createScreen } from '../screen/screen.ts'
import { decodeSnapshot } from '../screen/snapshotBytes.ts'

/** Null when it is damaged or of a version that is not known. */
export async function pictureOf(bytes: Uint8Array, format: LineFormat): Promise<string | null> {
  const snapshot = decodeSnapshot(bytes)
  if (snapshot === null) return null
  const screen = createScreen({ cols: snapshot.cols, rows: snapshot.rows, scrollback: 0 })
  try {
    await screen.restore(snapshot)
    return format === 'json' ? JSON.stringify(screen.json({ history: 0 })) : screen[format]({ history: 0 })
  } finally {
    screen.dispose()
  }
}
