/** How well a text fits what was typed, and which of several comes first. Pure. */
export type Span = { readonly from: number; readonly to: number }
export type Fit = { readonly score: number; readonly spans: readonly Span[] }

// The beginning of a word is what people type; letters that only follow each other are a guess.
const AT_WORD = 100
const INSIDE = 60
const SCATTERED = 30
const PER_GAP = 4
const BY_PLACE = 0.2 // for each character before it: of two that fit alike the earlier one
const FOR_RECENT = 25 // the one used last; the others less and less
/** Words that are not shown count less than those that are. */
const UNSHOWN = 0.5

/** Every word must fit somewhere; null when one does not. */
export function fitOf(query: string, text: string): Fit | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = words.map((word) => fitWord(word, text))
  if (fits.includes(null)) return null
  const found = fits.filter((each) => each !== null)
  const score = found.reduce((sum, each) => sum + each.score, 0) / Math.max(1, found.length)
  return { score, spans: mergeSpans(found.flatMap(({ spans }) => spans)) }
}

function fitWord(word: string, text: string): Fit | null {
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return null // letters that change their length cannot be marked
  const places = placesOf(word, lower)
  const atWord = places.find((place) => isWordStart(text, place))
  const place = atWord ?? places[0]
  if (place !== undefined)
    return { score: (atWord === undefined ? INSIDE : AT_WORD) - place * BY_PLACE, spans: [{ from: place, to: place + word.length }] }
  return fitScattered(word, lower)
}

function placesOf(word: string, lower: string): readonly number[] {
  const places: number[] = []
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) places.push(at)
  return places
}

/** Where a word begins: after what is no letter or digit, or at a capital inside of a name. */
const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || (/\p{Lu}/u.test(text.charAt(at)) && /\p{Ll}/u.test(text.charAt(at - 1)))

function fitScattered(word: string, lower: string): Fit | null {
  const spans: Span[] = []
  let at = -1
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1)
    if (at === -1) return null
    spans.push({ from: at, to: at + 1 })
  }
  const merged = mergeSpans(spans)
  const score = SCATTERED - (merged.length - 1) * PER_GAP - (merged[0]?.from ?? 0) * BY_PLACE
  return score > 0 ? { score, spans: merged } : null
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && span.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else merged.push(span)
  }
  return merged
}

export type Rankable = {
  readonly id: string
  readonly label: string
  /** Shown beside the label. */
  readonly detail: string
  /** Not shown, but found. */
  readonly also?: string | undefined
}
export type Ranked<Entry> = { readonly entry: Entry; readonly spans: readonly Span[] }

/** The best first; without a query those that were used last, then as they were given. */
export function rank<Entry extends Rankable>(
  entries: readonly Entry[],
  { query, recents }: { readonly query: string; readonly recents: readonly string[] },
): readonly Ranked<Entry>[] {
  const isBlank = query.trim() === ''
  return entries
    .flatMap((entry) => {
      const found = isBlank ? { score: 0, spans: [] } : bestFit(entry, query)
      return found === null ? [] : [{ entry, spans: found.spans, score: found.score + recency(recents, entry.id) }]
    })
    .sort((a, b) => b.score - a.score) // stable: equals stay as they were given
    .map(({ entry, spans }) => ({ entry, spans }))
}

/** In the label; else across all that is known of it, of which nothing is marked. */
function bestFit({ label, detail, also = '' }: Rankable, query: string): Fit | null {
  const shown = fitOf(query, label)
  if (shown !== null) return shown
  const wide = fitOf(query, `${label} ${detail} ${also}`)
  // Letters scattered over several texts are chance.
  return wide !== null && wide.score > SCATTERED ? { score: wide.score * UNSHOWN, spans: [] } : null
}

function recency(recents: readonly string[], id: string): number {
  const at = recents.indexOf(id)
  return at === -1 ? 0 : FOR_RECENT / (1 + at / 4)
}

const MOST_RECENTS = 60

/** The newest first, each once. */
export const touched = (recents: readonly string[], id: string): readonly string[] =>
  [id, ...recents.filter((other) => other !== id)].slice(0, MOST_RECENTS)
