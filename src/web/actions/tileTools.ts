/** What a tile does beyond drawing, where it can. */
import type { Tile } from '../tiles/tile.ts'
import type { Tiles } from '../tiles/tiles.ts'

type TileTools = {
  /** Opens its field for finding; with a text, goes to where that stands. */
  find?(text?: string): void
  /** What is in the clipboard, after asking where that is wanted. */
  paste?(): void
  /** Puts files on the daemon's machine and types their paths. */
  insertFiles?(files: readonly File[]): void
}

const toolsOf = (tiles: Tiles, id: string): (Tile & TileTools) | null => tiles.get(id)

export const pasteInto = (tiles: Tiles, id: string): void => toolsOf(tiles, id)?.paste?.()
export const insertFiles = (tiles: Tiles, id: string, files: readonly File[]): void => toolsOf(tiles, id)?.insertFiles?.(files)

const WAIT_MS = 2_000 // a tile that was just brought into view is there after a few frames

/** As soon as the tile is there: what asks for it has often just brought it into view. */
export function findInTile(tiles: Tiles, id: string, text?: string): void {
  const since = performance.now()
  const attempt = () => {
    const tile = toolsOf(tiles, id)
    if (tile !== null) tile.find?.(text)
    else if (performance.now() - since < WAIT_MS) requestAnimationFrame(attempt)
  }
  attempt()
}
