/** What the row of soft keys and the fingers ask of the tiles. */
import type { Tiles } from '../tiles/tiles.ts'

type MayChangeFont = { readonly changeFont?: (step: number) => void }
type MayPaste = { readonly paste?: (text: string) => void }

export function changeFont(tiles: Tiles, steps: number): void {
  const able: MayChangeFont = tiles as MayChangeFont
  able.changeFont?.call(tiles, steps)
}

export function pasteInto(tiles: Tiles, text: string): void {
  const { focused } = tiles
  if (focused === null) return
  const able: MayPaste = focused as MayPaste
  if (able.paste !== undefined) able.paste.call(focused, text)
  else focused.typeKey({ bytes: text.replace(/\r?\n/g, '\r') })
}
