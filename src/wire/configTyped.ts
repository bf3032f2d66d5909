/** What somebody typed on a command line as the value of an option. */
import { optionNamed } from './configRows.ts'
import { readValue } from './toml.ts'

/** As a text where the option takes it so, else as it would stand in the file; what is neither is judged as a text. */
export function typedValue(key: string, typed: string): unknown {
  const named = optionNamed(key)
  const fits = (value: unknown): boolean => named?.row.option.decode(named.entry === null ? value : { [named.entry]: value }).ok === true
  if (fits(typed)) return typed
  return readValue(typed) ?? typed
}
