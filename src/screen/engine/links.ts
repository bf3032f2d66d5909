import type { Internals, LinkData, LinkEntry, PenExtended, RawBuffer, RawExtended } from './internals.ts'
import { forgetLink, keyOf, standOn } from './linkLines.ts'

/**
 * Hyperlinks, exactly: which there are, on which lines the engine believes each to be (with the last of them it forgets the
 * link), and which cells belong to which.
 */
export type LinkTable = { readonly next: number; readonly links: readonly KeptLink[] }
type KeptLink = {
  readonly number: number
  readonly id: string | null
  readonly uri: string
  /** Rows counted from the top of the screen; those of the history are negative. */
  readonly normal: readonly number[]
  readonly alternate: readonly number[]
}

/**
 * The id under which a link is painted. One without an id of its own gets one, or every run of its cells would become a link
 * of its own.
 */
export const paintedId = (number: number, data: LinkData): string => data.id ?? `hf${number}`

export function readLinks({ _oscLinkService: service, _bufferService: { buffers } }: Internals, oldestRow: number): LinkTable {
  if (service._dataByLinkId.size === 0) return { next: service._nextId, links: [] }
  const [normal, alternate] = [rowFinder(buffers.normal, oldestRow), rowFinder(buffers.alt, 0)]
  const links = [...service._dataByLinkId.values()].map((entry) => ({
    number: entry.id,
    id: entry.data.id ?? null,
    uri: entry.data.uri,
    normal: normal(entry),
    alternate: alternate(entry),
  }))
  return { next: service._nextId, links: links.filter(({ normal, alternate }) => normal.length + alternate.length > 0) }
}

/** Finds the rows of one buffer on which a link is. */
function rowFinder(buffer: RawBuffer, oldest: number): (entry: LinkEntry) => number[] {
  const markers = new Set(buffer.markers)
  return ({ lines }) => {
    const rows = lines.flatMap((marker) => (markers.has(marker) ? [marker.line - buffer.ybase] : []))
    return rows.filter((row) => row >= oldest)
  }
}

/** Replaces the links that painting has made by the original ones. The pen has its own already. */
export function applyLinks(internals: Internals, table: LinkTable): void {
  const { _oscLinkService: service } = internals
  if (service._dataByLinkId.size > 0) {
    renumberCells(internals, numbersByPainted(internals, table))
    for (const entry of [...service._dataByLinkId.values()]) forgetLink(service, entry)
  }
  for (const link of table.links) addLink(internals, link)
  service._nextId = table.next
}

function numbersByPainted({ _oscLinkService: service }: Internals, table: LinkTable): Map<number, number> {
  const numbers = new Map<number, number>()
  for (const { number, id, uri } of table.links) {
    const painted = service._entriesWithId.get(keyOf(paintedId(number, { uri, ...(id === null ? {} : { id }) }), uri))
    if (painted !== undefined) numbers.set(painted.id, number)
  }
  return numbers
}

function renumberCells({ _bufferService: { buffers } }: Internals, numbers: ReadonlyMap<number, number>): void {
  const done = new Set<RawExtended>()
  for (const buffer of [buffers.normal, buffers.alt]) {
    for (let index = 0; index < buffer.lines.length; index++) {
      const line = buffer.lines.get(index)
      for (const column in line?._extendedAttrs) {
        const extended = line?._extendedAttrs[Number(column)]
        if (extended === undefined || done.has(extended)) continue
        done.add(extended) // neighbours share it
        if (extended.urlId !== 0) (extended as PenExtended).urlId = numbers.get(extended.urlId) ?? 0
      }
    }
  }
}

function addLink({ _oscLinkService: service, _bufferService: { buffers } }: Internals, link: KeptLink): void {
  const data: LinkData = { id: link.id ?? undefined, uri: link.uri }
  const key = link.id === null ? {} : { key: keyOf(link.id, link.uri) }
  const entry: LinkEntry = { id: link.number, ...key, data, lines: [] }
  const stand = (buffer: RawBuffer, rows: readonly number[]) => {
    for (const row of rows) standOn(service, buffer, entry, buffer.ybase + row)
  }
  stand(buffers.normal, link.normal)
  stand(buffers.alt, link.alternate)
  service._dataByLinkId.set(entry.id, entry)
  if (entry.key !== undefined) service._entriesWithId.set(entry.key, entry)
}
