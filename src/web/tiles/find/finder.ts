/** Finds text in what is drawn. The only file that knows the library for it. */
import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'

/** Of the palette that the terminal is drawn with, as `#rrggbb`. */
type FindColors = { readonly selectionBackground: string; readonly yellow: string; readonly background: string }

type Target = Parameters<SearchAddon['activate']>[0]

export type FindQuery = { readonly text: string; readonly isCase: boolean; readonly isRegex: boolean }
/** `at` is the place of the hit that is marked among all of them, from 1 on; null: none, or one beyond those that are counted. */
export type Hits = { readonly at: number | null; readonly count: number; readonly isMore: boolean }

/** Where the user looks and what is selected, counted from the end, which stays the same when older rows come. */
export type Mark = {
  readonly below: number
  readonly selected: { readonly column: number; readonly row: number; readonly length: number } | null
}

const MOST_HITS = 1_000 // each costs an element on the page

export class Finder {
  private readonly addon = new SearchAddon({ highlightLimit: MOST_HITS })
  private readonly palette: () => FindColors

  constructor(terminal: Target, { palette, onHits }: { readonly palette: () => FindColors; readonly onHits: (hits: Hits) => void }) {
    this.palette = palette
    terminal.loadAddon(this.addon)
    this.addon.onDidChangeResults(({ resultIndex, resultCount }) =>
      onHits({ at: resultIndex < 0 ? null : resultIndex + 1, count: resultCount, isMore: resultCount >= MOST_HITS }),
    )
  }

  /** Marks the next hit and goes there; at the end it goes round. */
  find({ text, isCase, isRegex }: FindQuery, way: 'up' | 'down'): boolean {
    const { selectionBackground, yellow, background } = this.palette()
    const decorations = {
      matchBackground: selectionBackground,
      matchOverviewRuler: yellow,
      activeMatchBackground: mixed(yellow, background),
      activeMatchBorder: yellow,
      activeMatchColorOverviewRuler: yellow,
    }
    const options: ISearchOptions = { caseSensitive: isCase, regex: isRegex, decorations }
    const isFound = way === 'up' ? this.addon.findPrevious(text, options) : this.addon.findNext(text, options)
    // With them the library matches all lines again after each output, also a line on which this pattern would never end.
    if (isRegex) delete options.decorations
    return isFound
  }

  clear(): void {
    this.addon.clearDecorations()
  }
}

/** Halfway between two colours: the text on it is still read. */
const mixed = (a: string, b: string): string => {
  const part = (at: number): string =>
    Math.round((Number.parseInt(a.slice(at, at + 2), 16) + 2 * Number.parseInt(b.slice(at, at + 2), 16)) / 3)
      .toString(16)
      .padStart(2, '0')
  return `#${part(1)}${part(3)}${part(5)}`
}
