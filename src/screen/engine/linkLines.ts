import { HAS_EXTENDED, type LinkEntry, type LinkService, type RawBuffer, type RawLine, type RawMarker } from './internals.ts'

/**
 * On which lines a link stands. The engine makes a marker for every link on every line, each with listeners of its own: three
 * kilobytes, and seconds of garbage collection where a program prints nothing but links. Here the links of a line share one.
 */
const linesOf = new WeakMap<RawMarker, { readonly links: Set<LinkEntry>; readonly buffer: MarkedBuffer }>()
const newestOf = new WeakMap<object, RawMarker>()

export const keyOf = (id: string, uri: string): string => `${id};;${uri}` // as the engine does

type MarkedBuffer = Pick<RawBuffer, 'addMarker' | 'lines'>

export function standOn(service: LinkService, buffer: MarkedBuffer, entry: LinkEntry, line: number): void {
  const marker = markerAt(service, buffer, line)
  linesOf.get(marker)?.links.add(entry)
  entry.lines.push(marker)
}

export function forgetLink(service: LinkService, entry: LinkEntry): void {
  for (const marker of [...entry.lines]) {
    const links = linesOf.get(marker)?.links
    links?.delete(entry)
    service._removeMarkerFromLink(entry, marker)
    if (links === undefined || links.size === 0) marker.dispose()
  }
  service._dataByLinkId.delete(entry.id) // should it have had no line
}

/** What was printed with a forgotten link stays, as plain text: each of its cells would keep an object of its own otherwise. */
export function forgetWithCells(service: LinkService, entries: readonly LinkEntry[]): void {
  const numbers = new Set(entries.map(({ id }) => id))
  for (const marker of new Set(entries.flatMap(({ lines }) => lines))) {
    const line = linesOf.get(marker)?.buffer.lines.get(marker.line)
    if (line !== undefined) unlinkCells(line, numbers)
  }
  for (const entry of entries) forgetLink(service, entry)
}

/** Cells that are underlined too keep theirs: it is shared with neighbours, and never changed. */
function unlinkCells(line: RawLine, numbers: ReadonlySet<number>): void {
  for (const name in line._extendedAttrs) {
    const column = Number(name)
    const extended = line._extendedAttrs[column]
    if (extended === undefined || !numbers.has(extended.urlId) || extended._ext !== 0) continue
    delete line._extendedAttrs[column]
    line._data[column * 3 + 2] = (line._data[column * 3 + 2] ?? 0) & ~HAS_EXTENDED
  }
}

/** Output comes line by line, so the newest marker nearly always fits. A disposed marker is on no line. */
function markerAt(service: LinkService, buffer: MarkedBuffer, line: number): RawMarker {
  const newest = newestOf.get(buffer)
  if (newest?.line === line) return newest
  const marker = buffer.addMarker(line)
  const links = new Set<LinkEntry>()
  marker.onDispose(() => {
    for (const entry of links) service._removeMarkerFromLink(entry, marker)
  })
  linesOf.set(marker, { links, buffer })
  newestOf.set(buffer, marker)
  return marker
}
