import { utf8Encode } from '../../../src/base/utf8.ts'
import { createScreen, type Screen, type ScreenSize } from '../../../src/screen/screen.ts'

const SIZE: ScreenSize = { cols: 80, rows: 24 }

export async function screenWith(output: string | Uint8Array, size: ScreenSize = SIZE): Promise<Screen> {
  const screen = createScreen({ ...size, scrollback: 500 })
  await screen.feed(typeof output === 'string' ? utf8Encode(output) : output)
  return screen
}

/** A new screen, restored from the snapshot of another one; with the output, also given what came after the snapshot's cut. */
export async function restored(screen: Screen, output: string | Uint8Array = ''): Promise<Screen> {
  const copy = createScreen({ ...screen.size, scrollback: 500 })
  const snapshot = screen.snapshot()
  await copy.restore(snapshot)
  await copy.feed((typeof output === 'string' ? utf8Encode(output) : output).slice(snapshot.seq))
  return copy
}

/** The same bytes in pieces of the given sizes, over and over. */
export async function feedInPieces(screen: Screen, bytes: Uint8Array, sizes: readonly number[]): Promise<void> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    await screen.feed(bytes.slice(at, at + size))
    at += size
  }
}
