import type { LinkEntry, LinkService, RawBuffer, RawMarker } from './internals.ts'

/**
 * On which lines a link stands. The engine makes a marker for every link on every line, each with listeners of its own: three
 * kilobytes, and seconds of garbage collection where a program prints nothing but links. Here the links of a line share one.
 */
const linksOf = new WeakMap<RawMarker, Set<LinkEntry>>()
const newestOf = new WeakMap<object, RawMarker>()

export const keyOf = (id: string, uri: string): string => `${id};;${uri}` // as the engine does

type MarkedBuffer = Pick<RawBuffer, 'addMarker'>

export function standOn(service: LinkService, buffer: MarkedBuffer, entry: LinkEntry, line: number): void {
  const marker = markerAt(service, buffer, line)
  linksOf.get(marker)?.add(entry)
  entry.lines.push(marker)
}

/** What was printed with a forgotten link stays, as plain text. */
export function forgetLink(service: LinkService, entry: LinkEntry): void {
  for (const marker of [...entry.lines]) {
    const links = linksOf.get(marker)
    links?.delete(entry)
    service._removeMarkerFromLink(entry, marker)
    if (links === undefined || links.size === 0) marker.dispose()
  }
  service._dataByLinkId.delete(entry.id) // should it have had no line
}

/** Output goes line by line, so the newest marker is nearly always the one. One that is disposed of is on no line. */
function markerAt(service: LinkService, buffer: MarkedBuffer, line: number): RawMarker {
  const newest = newestOf.get(buffer)
  if (newest?.line === line) return newest
  const marker = buffer.addMarker(line)
  const links = new Set<LinkEntry>()
  marker.onDispose(() => {
    for (const entry of links) service._removeMarkerFromLink(entry, marker)
  })
  linksOf.set(marker, links)
  newestOf.set(buffer, marker)
  return marker
}
