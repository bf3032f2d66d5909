/** Reads what other programs have written. Their formats change without notice: what is not there is null, and nothing throws. */

/** Undefined where it is no JSON. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whole lines only: the last one may still be being written. */
export const jsonLines = (text: string | null): readonly unknown[] =>
  (text ?? '').split('\n').flatMap((line) => {
    const value = line.startsWith('{') ? parseJson(line) : undefined
    return value === undefined ? [] : [value]
  })

export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  )
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : null
}

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** In ms; null where it is no time. */
export function timeAt(value: unknown, ...path: readonly string[]): number | null {
  const time = Date.parse(textAt(value, ...path) ?? '')
  return Number.isNaN(time) ? null : time
}

/** The sum of those that are there; null where none is. */
export function sumAt(value: unknown, keys: readonly string[]): number | null {
  const found = keys.flatMap((key) => numberAt(value, key) ?? [])
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one, 0)
}

const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const LONGEST_WORDS = 400 // characters: a few lines beside a terminal's name

/** To be shown: one line, without anything that a terminal or a page would obey. */
export function shownWords(text: string | null): string | null {
  const plain = (text ?? '')
    .slice(0, LONGEST_WORDS * 4)
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? null : [...plain].slice(0, LONGEST_WORDS).join('')
}
