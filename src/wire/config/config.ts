/**
 * src/wire/config: config.toml, from text to values and back. The options are in configOptions.ts, their kinds in configKinds.ts;
 * configEdit.ts changes one option and keeps the user's comments. A problem is named with its line, and then none of the file is used.
 */
import type { Option, Section } from './configKinds.ts'
import { findLines, type LineOf } from './configLines.ts'
import { type Config, OPTIONS } from './configOptions.ts'
import { isOption, ROWS, SECTIONS, snakeCase, unknownMessage } from './configRows.ts'
import { isTable, keyText, parseToml } from './toml.ts'

export type { Config } from './configOptions.ts'

/** `key` is empty for a text that is not TOML. Messages have no full stop at the end. */
export type ConfigProblem = { readonly line: number; readonly key: string; readonly message: string }
export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  /** Sorted by line, at least one. */
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/** Texts as they stand in the file. */
export type ConfigRow = {
  readonly key: string
  readonly type: string
  readonly value: string
  readonly default: string
  readonly bounds: string
  readonly sentence: string
  /** Of a section whose keys are free: its lines. */
  readonly lines: readonly string[] | null
}

export function parseConfig(given: string): ParsedConfig {
  const text = given.replace(/^\ufeff/, '') // some editors put a mark there that TOML does not know
  const toml = parseToml(text)
  if (!toml.ok) return { ok: false, problems: [{ line: toml.line, key: '', message: toml.message }] }
  const problems: ConfigProblem[] = []
  const values = decodeSection(OPTIONS, toml.table, { path: [], problems, lineOf: findLines(text) })
  if (problems.length > 0) return { ok: false, problems: problems.sort((a, b) => a.line - b.line) }
  return { ok: true, config: values as Config }
}

type Place = { readonly path: readonly string[]; readonly problems: ConfigProblem[]; readonly lineOf: LineOf }

/** The values of every option of the section: given, or by default. Whatever does not fit becomes a problem. */
function decodeSection(section: Section, given: object, place: Place): Record<string, unknown> {
  const names = new Map(Object.keys(section).map((name) => [snakeCase(name), name]))
  const raw = new Map<string, unknown>(Object.entries(given))
  for (const key of raw.keys()) if (!names.has(key)) report(place, key, unknownMessage)
  const entries = [...names].map(([key, name]) => [name, decodeEntry(section[name] ?? {}, { ...place, key, raw })])
  return Object.fromEntries(entries)
}

function decodeEntry(
  entry: Option<unknown> | Section,
  at: Place & { readonly key: string; readonly raw: ReadonlyMap<string, unknown> },
): unknown {
  const value = at.raw.get(at.key)
  if (!isOption(entry)) {
    if (value === undefined || isTable(value)) return decodeSection(entry, value ?? {}, { ...at, path: [...at.path, at.key] })
    return report(at, at.key, (key) => `${key} is a section: write [${key}] and its options below`)
  }
  if (value === undefined) return entry.default
  const decoded = entry.decode(value)
  if (decoded.ok) return decoded.value
  if ('why' in decoded) return report(at, at.key, (key) => `${key} ${decoded.why}`)
  for (const { key: free, why } of decoded.faults) {
    const path = [...at.path, at.key, ...[free ?? []].flat()]
    report({ ...at, path: path.slice(0, -1) }, path.at(-1) ?? at.key, (key) => `${key} ${why}`)
  }
  return undefined
}

function report({ path, problems, lineOf }: Place, last: string, sentence: (key: string) => string): undefined {
  const key = [...path, last].map(keyText).join('.')
  problems.push({ line: lineOf([...path, last]), key, message: sentence(key) })
}

export const defaultConfig: Config = decodeSection(OPTIONS, {}, { path: [], problems: [], lineOf: () => 1 }) as Config

/** One row per option, for `config show`. */
export function describeConfig(config: Config = defaultConfig): readonly ConfigRow[] {
  return ROWS.map(({ key, names, option }) => {
    const value = names.reduce<unknown>((table, name) => (table as Record<string, unknown>)[name], config)
    return {
      key,
      type: option.type,
      value: option.encode(value),
      default: option.encode(option.default),
      bounds: option.bounds,
      sentence: option.sentence,
      lines: option.lines?.(value) ?? null,
    }
  })
}

/** A file that changes nothing: every option with its sentence, its default behind a # so that later defaults still arrive. */
export function exampleConfig(): string {
  const rows = describeConfig().filter(({ lines }) => lines === null)
  const within = (section: string) => rows.filter(({ key }) => key.slice(0, Math.max(0, key.lastIndexOf('.'))) === section)
  const blocks = ['', ...SECTIONS].map((section) => {
    const options = within(section).map(
      (row) => `# ${row.sentence}\n# ${row.type}${row.bounds && `: ${row.bounds}`}\n#${lastPart(row.key)} = ${row.default}\n`,
    )
    return [...(section === '' ? [] : [`[${section}]\n`]), ...options].join('\n')
  })
  const tables = describeConfig().flatMap(({ key, lines, sentence, type, bounds }) =>
    lines === null ? [] : [`[${key}]\n\n# ${sentence}\n# ${type}: ${bounds}\n${lines.map((line) => `#${line}\n`).join('')}`],
  )
  return `# Remove the # before an option to change it.\n\n${[...blocks, ...tables].join('\n')}`
}

const lastPart = (key: string): string => key.slice(key.lastIndexOf('.') + 1)
