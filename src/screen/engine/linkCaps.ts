import type { LinkEntry, LinkService, RawBuffer } from './internals.ts'
import { forgetWithCells, keyOf, standOn } from './linkLines.ts'

/**
 * How many hyperlinks a program can make its terminal remember, and how long they may be. The engine has no limit, and looks
 * through a link's lines for every character printed with it.
 */
export const MAX_URI = 2_083 // characters, as in other terminals
export const MAX_LINK_ID = 250
export const MAX_LINKS = 2_048 // some for every line of a long history
export const MAX_LINK_CHARACTERS = 1 << 20 // all of them together
/** Beyond the limit, so many of them are let go at once: counting thousands of links for each new one would take all the time there is. */
const AFTER_FORGETTING = MAX_LINK_CHARACTERS * (15 / 16)
const AT_ONCE = MAX_LINKS / 64

export type LinkTarget = {
  readonly _inputHandler: { setHyperlink(data: string): boolean }
  readonly _oscLinkService: LinkService
  readonly _bufferService: { readonly buffers: { readonly active: Pick<RawBuffer, 'ybase' | 'y' | 'addMarker' | 'lines'> } }
}

type HandlerTarget = {
  readonly parser: {
    registerOscHandler(code: number, callback: (data: string) => boolean): { dispose(): void }
    registerEscHandler(id: { final: string }, callback: () => boolean): { dispose(): void }
  }
}

const NO_LINK = ';'

export function capLinks({ parser }: HandlerTarget, core: LinkTarget): void {
  const { _inputHandler: input, _oscLinkService: service } = core
  /** At most so many: links that went since they were counted are still in it. */
  let characters = 0
  parser.registerOscHandler(8, (data) => {
    const parameters = data.indexOf(';')
    const isTooLong = data.length - parameters - 1 > MAX_URI || parameters > MAX_LINK_ID
    input.setHyperlink(isTooLong ? NO_LINK : data)
    if (service._dataByLinkId.size > MAX_LINKS) forgetBeyond(service, MAX_LINKS - AT_ONCE)
    characters += data.length
    if (characters > MAX_LINK_CHARACTERS) characters = forgetCharacters(service)
    return true
  })
  // A reset makes new buffers without telling the links of the old ones, which would never be forgotten.
  parser.registerEscHandler({ final: 'c' }, () => {
    service._dataByLinkId.clear()
    service._entriesWithId.clear()
    return false
  })
  shareMarkers(core)
}

/** Does what the engine does, with one marker for all links of a line. */
function shareMarkers({ _oscLinkService: service, _bufferService: { buffers } }: LinkTarget): void {
  service.addLineToLink = (id, line) => {
    const entry = service._dataByLinkId.get(id)
    if (entry === undefined || entry.lines.at(-1)?.line === line || entry.lines.some((marker) => marker.line === line)) return
    standOn(service, buffers.active, entry, line)
  }
  service.registerLink = (data) => {
    const line = buffers.active.ybase + buffers.active.y
    const key = data.id === undefined ? undefined : keyOf(data.id, data.uri)
    const known = key === undefined ? undefined : service._entriesWithId.get(key)
    if (known !== undefined) {
      service.addLineToLink(known.id, line)
      return known.id
    }
    const entry: LinkEntry = { id: service._nextId++, ...(key === undefined ? {} : { key }), data, lines: [] }
    standOn(service, buffers.active, entry, line)
    if (key !== undefined) service._entriesWithId.set(key, entry)
    service._dataByLinkId.set(entry.id, entry)
    return entry.id
  }
}

/** The oldest go first. */
function forgetBeyond(service: LinkService, most: number): void {
  const links = service._dataByLinkId
  const oldest: LinkEntry[] = []
  for (const entry of links.values()) {
    if (links.size - oldest.length <= most) break
    oldest.push(entry)
  }
  forgetWithCells(service, oldest)
}

/** Returns how many there are then. */
function forgetCharacters(service: LinkService): number {
  const lengths = Array.from(service._dataByLinkId.values(), ({ data }) => data.uri.length + (data.id?.length ?? 0))
  let characters = lengths.reduce((sum, length) => sum + length, 0)
  if (characters <= MAX_LINK_CHARACTERS) return characters
  let forgotten = 0
  while (characters > AFTER_FORGETTING) characters -= lengths[forgotten++] ?? characters
  forgetBeyond(service, lengths.length - forgotten)
  return characters
}
