/** TOML as text: read through the library, written value by value. */
import { parse, TomlError } from 'smol-toml'

type Toml = { readonly ok: true; readonly table: object } | { readonly ok: false; readonly line: number; readonly message: string }

/** The message has no full stop at the end. */
export function parseToml(text: string): Toml {
  try {
    return { ok: true, table: parse(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [sentence = ''] = error.message.split('\n')
    return { ok: false, line: error.line, message: sentence.replace(/^Invalid TOML document: /, 'not TOML: ').replace(/\.$/, '') }
  }
}

/** A value as it stands behind a key, on one line; null for what TOML has no word for. */
export function valueText(value: unknown): string | null {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  if (value instanceof Date || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return all(value.map(valueText), listOf)
  const entries = Object.entries(value).map(([key, item]) => {
    const written = valueText(item)
    return written === null ? null : `${keyText(key)} = ${written}`
  })
  return all(entries, (items) => (items.length === 0 ? '{}' : `{ ${items.join(', ')} }`))
}

function all(texts: readonly (string | null)[], join: (texts: readonly string[]) => string): string | null {
  const written = texts.filter((text) => text !== null)
  return written.length === texts.length ? join(written) : null
}

/** Of a text that stands for a value, the value. */
export function readValue(text: string): unknown {
  const parsed = parseToml(`value = ${text}\n`)
  return parsed.ok ? (parsed.table as { readonly value: unknown }).value : undefined
}

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** How keys, texts and lists are written in TOML. */

/** JSON's strings are TOML's, but for one character. */
export const quoted = (value: string): string => JSON.stringify(value).replaceAll('\x7f', '\\u007F')

/** A key as it stands in the file. */
export const keyText = (key: string): string => (/^[\w-]+$/.test(key) ? key : quoted(key))

const listOf = (items: readonly string[]): string => `[${items.join(', ')}]`
export const listText = (items: readonly string[]): string => listOf(items.map(quoted))
