/** Verbs for a tile that may have been brought into view only just now. */
import type { Tile } from '../tiles/tile.ts'
import type { Tiles } from '../tiles/tiles.ts'

export const pasteInto = (tiles: Tiles, id: string): void =>
  void navigator.clipboard.readText().then(
    (text) => tiles.get(id)?.paste(text),
    () => undefined, // the browser has asked the user, who said no
  )

const WAIT_MS = 2_000 // a tile that was just brought into view is there after a few frames

/** As soon as the tile is there. */
export function findInTile(tiles: Tiles, id: string, text?: string): void {
  const since = performance.now()
  tiles.read(id)
  const attempt = () => {
    const tile = tiles.get(id)
    if (tile !== null) find(tile, text)
    else if (performance.now() - since < WAIT_MS) requestAnimationFrame(attempt)
  }
  attempt()
}

const find = (tile: Tile, text: string | undefined): void => (text === undefined ? tile.findSelected() : tile.find.open(text))
