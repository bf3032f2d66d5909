/** The options by their keys, as they stand in the file. */
import type { Option, Section } from './configKinds.ts'
import { OPTIONS } from './configOptions.ts'
import { nearest } from './nearest.ts'

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
