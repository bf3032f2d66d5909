/**
 * Changes one option in the text of config.toml. Comments, order and everything else stay as they are: one line is replaced,
 * put in or taken out. What comes out is read again, and is given only if it says what was asked for and nothing else.
 */
import { sameValue } from '../../workspace/sameValue.ts'
import { parseConfig } from './config.ts'
import { type Named, optionNamed, unknownMessage } from './configRows.ts'
import { removeAt, writeAt } from './configText.ts'
import { isTable, parseToml } from './toml.ts'

export type ConfigChange = {
  /** An option, or one entry of an option whose keys are free. */
  readonly key: string
  /** As in JSON; null takes it out. */
  readonly value: unknown
}

/** `why` is a sentence with its full stop. */
export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

const BYTE_ORDER_MARK = /^\ufeff/

const no = (why: string): Edited => ({ ok: false, why: `${why}.` })

export function editConfig(given: string, { key, value }: ConfigChange): Edited {
  const named = optionNamed(key)
  if (named === null) return no(unknownMessage(key).replace(/^t/, 'T'))
  const fault = value === null ? null : faultOf(named, key, value)
  if (fault !== null) return no(fault)
  const text = given.replace(BYTE_ORDER_MARK, '')
  const before = parseToml(text)
  if (!before.ok) return no(`config.toml, line ${before.line}: ${before.message}`)
  const path = named.entry === null ? named.row.path : [...named.row.path, named.entry]
  const edited = edit(text, { path, value, isWhole: named.entry === null, table: before.table })
  if (edited === null || !says(edited, { path, value, before: before.table }))
    return no(`cannot change ${key} in config.toml as it is written; edit the file`)
  const parsed = parseConfig(edited)
  if (parsed.ok) return { ok: true, text: (BYTE_ORDER_MARK.exec(given)?.[0] ?? '') + edited }
  const [first] = parsed.problems
  return no(`config.toml, line ${first?.line}: ${first?.message}`)
}

function faultOf({ row, entry }: Named, key: string, value: unknown): string | null {
  const decoded = row.option.decode(entry === null ? value : { [entry]: value })
  if (decoded.ok) return null
  if ('why' in decoded) return `${key} ${decoded.why}`
  const [first] = decoded.faults
  const below = [first?.key ?? []].flat().slice(entry === null ? 0 : 1)
  return `${[key, ...below].join('.')} ${first?.why}`
}

type Wanted = { readonly path: readonly string[]; readonly value: unknown; readonly isWhole: boolean; readonly table: object }

/** The option of a whole table is written entry by entry, in a section of its own. */
function edit(text: string, { path, value, isWhole, table }: Wanted): string | null {
  if (value === null) return removeAt(text, { path, table, keepsHeader: isWhole })
  if (!isWhole || !isTable(value)) return writeAt(text, { path, table, value })
  let edited = removeAt(text, { path, table, keepsHeader: true })
  for (const [entry, item] of Object.entries(value)) {
    const now = edited === null ? null : parseToml(edited)
    if (edited === null || now === null || !now.ok) return null
    edited = writeAt(edited, { path: [...path, entry], table: now.table, value: item })
  }
  return edited
}

/** Whether the text says what was asked for, and else what it said before. */
function says(
  text: string,
  { path, value, before }: { readonly path: readonly string[]; readonly value: unknown; readonly before: object },
): boolean {
  const after = parseToml(text)
  if (!after.ok || !sameValue(without(after.table, path), without(before, path))) return false
  const found = path.reduce<unknown>((table, name) => (isTable(table) ? table[name] : undefined), after.table)
  if (value === null) return found === undefined || isEmpty(found)
  return sameValue(found, value) || (isEmpty(value) && found === undefined)
}

const isEmpty = (value: unknown): boolean => isTable(value) && Object.keys(value).length === 0

/** Tables that are empty then are as good as none. */
function without(table: object, [first, ...rest]: readonly string[]): object {
  const entries = Object.entries(table).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (name !== first) return [[name, value]]
    if (rest.length === 0 || !isTable(value)) return rest.length === 0 ? [] : [[name, value]]
    const left = without(value, rest)
    return isEmpty(left) ? [] : [[name, left]]
  })
  return Object.fromEntries(entries)
}
