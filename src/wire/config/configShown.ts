/** Every option as clients see it, with values as they would be given to `config.set`. */
import type { OptionShown } from '../commands/config.ts'
import type { Config } from './config.ts'
import { type OptionRow, optionNamed, ROWS } from './configRows.ts'
import { isTable, parseToml, readValue } from './toml.ts'

/** `config` is what is in force, `text` what the file says. */
export function showOptions(config: Config, text: string): OptionShown[] {
  const parsed = parseToml(text.replace(/^\ufeff/, ''))
  const file = parsed.ok ? parsed.table : {}
  return ROWS.map(({ key, path, names, option }) => ({
    key,
    type: option.type,
    bounds: option.bounds,
    sentence: option.sentence,
    choices: option.choices === undefined ? null : [...option.choices],
    value: written(option, at(config, names)),
    default: written(option, option.default),
    isSet: at(file, path) !== undefined,
    needsRestart: option.needsRestart === true,
  }))
}

const at = (table: object, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isTable(found) ? found[name] : undefined), table)

/** As it stands in the file: a size is a text there. */
const written = (option: OptionRow['option'], value: unknown): unknown => readValue(option.encode(value))

/** The value of an option as typed on a command line. */

/** As a text where the option takes it so, else as it would stand in the file; what is neither is judged as a text. */
export function typedValue(key: string, typed: string): unknown {
  const named = optionNamed(key)
  const fits = (value: unknown): boolean => named?.row.option.decode(named.entry === null ? value : { [named.entry]: value }).ok === true
  if (fits(typed)) return typed
  return readValue(typed) ?? typed
}
