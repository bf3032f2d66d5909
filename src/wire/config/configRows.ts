/** The options by their keys, as they stand in the file. */

import type { Option, Section } from './configKinds.ts'
import { OPTIONS } from './configOptions.ts'

export type OptionRow = {
  /** As in `web.port`. */
  readonly key: string
  /** As in `['web', 'port']`, in the words of the file. */
  readonly path: readonly string[]
  /** As in the values that were read. */
  readonly names: readonly string[]
  readonly option: Option<unknown>
}

export const isOption = (entry: Option<unknown> | Section): entry is Option<unknown> =>
  typeof (entry as Option<unknown>).decode === 'function'

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function flatten(section: Section, names: readonly string[] = []): OptionRow[] {
  return Object.entries(section).flatMap(([name, entry]) => {
    const path = [...names, name]
    if (!isOption(entry)) return flatten(entry, path)
    return [{ key: path.map(snakeCase).join('.'), path: path.map(snakeCase), names: path, option: entry }]
  })
}

export const ROWS: readonly OptionRow[] = flatten(OPTIONS)
export const SECTIONS = [...new Set(ROWS.flatMap(({ key }) => (key.includes('.') ? [key.slice(0, key.lastIndexOf('.'))] : [])))]

/** An option, or one entry of an option whose keys are free: `page.keys.terminal.new` is the entry `terminal.new`. */
export type Named = { readonly row: OptionRow; readonly entry: string | null }

export function optionNamed(key: string): Named | null {
  for (const row of ROWS) {
    if (row.key === key) return { row, entry: null }
    if (row.option.lines !== undefined && key.startsWith(`${row.key}.`) && key.length > row.key.length + 1)
      return { row, entry: key.slice(row.key.length + 1) }
  }
  return null
}

export function unknownMessage(key: string): string {
  const near = nearest(key, [...ROWS.map((row) => row.key), ...SECTIONS])
  return `there is no option ${key}${near === null ? '' : `; the nearest is ${near}`}`
}

/** The known word that the user probably meant, or null if none is close. */
function nearest(word: string, known: readonly string[]): string | null {
  const best = known.map((candidate) => ({ candidate, distance: wordDistance(word, candidate) })).sort((a, b) => a.distance - b.distance)[0]
  const { length } = plain(lastPart(word))
  const tolerated = length < 3 ? 1 : Math.max(2, Math.floor(length / 3)) // two letters swapped are two changes
  return best !== undefined && best.distance <= tolerated ? best.candidate : null
}

/** `logLevel`, `log-level` and `log_level` are the same mistake, and so is a known option in the wrong section. */
function wordDistance(a: string, b: string): number {
  return Math.min(editDistance(plain(a), plain(b)), editDistance(plain(lastPart(a)), plain(lastPart(b))))
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, LONGEST_COMPARED)
const lastPart = (word: string): string => word.slice(word.lastIndexOf('.') + 1)
const LONGEST_COMPARED = 64 // the comparison takes the product of both lengths

/** How many letters must be put in, left out or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= b.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? a.length
}
