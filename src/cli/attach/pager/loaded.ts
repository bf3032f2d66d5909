/** The lines that are in memory: one piece of the history around what is looked at, never all of it. */
import type { Line } from './styledLine.ts'

export type Loaded = { readonly from: number; readonly lines: readonly Line[] }

/** Of the daemon's answer. */
export type PageOfLines = { readonly from: number; readonly lines: readonly string[] }

/** Lines of one request, a few screens: quick to fetch, and seldom to be waited for. */
export const PAGE_LINES = 500
/**
 * Further away ones are fetched again when they are wanted. More than three times the highest window and a page: or what
 * is fetched at one end would be dropped at the other, and fetched again.
 */
export const LOADED_LINES = 5_000

export const NOTHING_LOADED: Loaded = { from: 0, lines: [] }

export const endOf = ({ from, lines }: Loaded): number => from + lines.length

export const lineAt = ({ from, lines }: Loaded, number: number): Line => lines[number - from] ?? EMPTY

const EMPTY: Line = { ansi: '' }

export const loadedFrom = ({ from, lines }: PageOfLines): Loaded => ({ from, lines: lines.map((ansi) => ({ ansi })) })

/** Older lines in front; what is too far below them is let go. A page that does not touch takes the place of everything. */
export function withOlder(loaded: Loaded, page: PageOfLines): Loaded {
  const added = loadedFrom(page)
  if (endOf(added) < loaded.from) return added
  const kept = loaded.lines.slice(Math.max(0, endOf(added) - loaded.from))
  return { from: added.from, lines: [...added.lines, ...kept].slice(0, LOADED_LINES) }
}

/** Newer lines behind; where both have a line, the newer answer is right: a program may have painted over it. */
export function withNewer(loaded: Loaded, page: PageOfLines): Loaded {
  const added = loadedFrom(page)
  if (added.from > endOf(loaded) || added.from < loaded.from) return added
  const lines = [...loaded.lines.slice(0, added.from - loaded.from), ...added.lines]
  const dropped = Math.max(0, lines.length - LOADED_LINES)
  return { from: loaded.from + dropped, lines: lines.slice(dropped) }
}
