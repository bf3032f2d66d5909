/** The kinds of options that config.toml can have: how each is read, judged and written. */

import type { Agent } from '../../agents/agent.ts'
import { isUserAgent, parseUserAgents } from '../../agents/programs/userAgents.ts'
import { isSize } from '../../base/size.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { keyBytes } from '../keys.ts'
import { isTable, keyText, listText, quoted } from './toml.ts'

export type Option<Value> = {
  readonly type: string
  readonly default: Value
  /** In words; empty where anything of the type will do. */
  readonly bounds: string
  readonly sentence: string
  /** Where it is one of a few. */
  readonly choices?: readonly string[]
  /** A running daemon does not hear of a change. */
  readonly needsRestart?: true
  /** Completes "KEY …" with what is wrong, or gives the value. */
  readonly decode: (raw: unknown) => Decoded<Value>
  /** As it stands in the file. */
  encode(value: Value): string
  /** For a table whose keys are free: its lines, as they stand under its header. */
  lines?(value: Value): readonly string[]
}

type Decoded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly why: string }
  /** One per free key, or path of keys; null stands for the table itself. */
  | { readonly ok: false; readonly faults: readonly { readonly key: string | readonly string[] | null; readonly why: string }[] }

type Described<Value> = Pick<Option<Value>, 'default' | 'sentence' | 'needsRestart'>

export type Section = { readonly [name: string]: Option<unknown> | Section }

export const KIB = 1 << 10
export const MIB = 1 << 20
export const GIB = 1 << 30

export function whole({ min, max, ...described }: Described<number> & { readonly min: number; readonly max: number }): Option<number> {
  const bounds = `${readable(min)} to ${readable(max)}`
  return {
    ...described,
    type: 'whole number',
    bounds,
    decode: (raw) =>
      typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max
        ? { ok: true, value: raw }
        : { ok: false, why: `must be a whole number from ${bounds}` },
    encode: String,
  }
}

/** Sizes in bytes come with the unit people think in. */
function readable(count: number): string {
  if (count >= GIB && count % GIB === 0) return `${count} (${count / GIB} GiB)`
  if (count >= MIB && count % MIB === 0) return `${count} (${count / MIB} MiB)`
  return count >= KIB && count % KIB === 0 ? `${count} (${count / KIB} KiB)` : String(count)
}

export function flag(described: Described<boolean>): Option<boolean> {
  return {
    ...described,
    type: 'true or false',
    bounds: '',
    decode: (raw) => (typeof raw === 'boolean' ? { ok: true, value: raw } : { ok: false, why: 'must be true or false' }),
    encode: String,
  }
}

export function oneOf<const Choice extends string>({
  choices,
  ...described
}: Described<NoInfer<Choice>> & { readonly choices: readonly Choice[] }): Option<Choice> {
  const bounds = choices.join(', ')
  return {
    ...described,
    choices,
    type: 'one of a few words',
    bounds,
    decode: (raw) => {
      const value = choices.find((choice) => choice === raw)
      return value === undefined ? { ok: false, why: `must be one of ${bounds}` } : { ok: true, value }
    },
    encode: quoted,
  }
}

type Accepted = { readonly pattern: RegExp } | { readonly accepts: (text: string) => boolean }

const accepter = (accepted: Accepted): ((text: string) => boolean) =>
  'accepts' in accepted ? accepted.accepts : (value) => accepted.pattern.test(value)

export function text({
  bounds,
  default: usual,
  sentence,
  ...accepted
}: Omit<Described<string>, 'needsRestart'> & { readonly bounds: string } & Accepted): Option<string> {
  const accepts = accepter(accepted)
  return {
    default: usual,
    sentence,
    type: 'text',
    bounds,
    decode: (raw) =>
      typeof raw === 'string' && accepts(raw) ? { ok: true, value: raw } : { ok: false, why: `must be a text in quotes: ${bounds}` },
    encode: quoted,
  }
}

export function list({
  bounds,
  pattern,
  ...described
}: Described<readonly string[]> & { readonly bounds: string; readonly pattern: RegExp }): Option<readonly string[]> {
  const isItem = (item: unknown): item is string => typeof item === 'string' && pattern.test(item)
  return {
    ...described,
    type: 'list of texts',
    bounds,
    decode: (raw) => {
      if (!Array.isArray(raw)) return { ok: false, why: `must be a list in brackets: ${bounds}` }
      const bad = raw.find((item) => !isItem(item))
      return bad === undefined
        ? { ok: true, value: raw.filter(isItem) }
        : { ok: false, why: `has an invalid entry (${shown(bad)}): ${bounds}` }
    },
    encode: listText,
  }
}

export function size(described: Described<Size>): Option<Size> {
  const bounds = '2x1 to 1000x1000'
  return {
    ...described,
    type: 'COLSxROWS',
    bounds,
    decode: (raw) => {
      const [, cols, rows] = (typeof raw === 'string' && raw.match(/^(\d{1,4})x(\d{1,4})$/)) || []
      const value = { cols: Number(cols), rows: Number(rows) }
      return isSize(value) ? { ok: true, value } : { ok: false, why: `must be a text like "120x40", from ${bounds}` }
    },
    encode: ({ cols, rows }) => quoted(`${cols}x${rows}`),
  }
}

type Lists = Readonly<Record<string, readonly string[]>>

/** A section with keys of the user's own, each a list of texts; what is given stands over the default. */
export function table({
  parse,
  ...described
}: Described<Lists> & { readonly bounds: string; readonly parse: (raw: unknown) => Decoded<Lists> }): Option<Lists> {
  const lines = (lists: Lists): readonly string[] => Object.entries(lists).map(([key, items]) => `${keyText(key)} = ${listText(items)}`)
  return { ...described, type: 'section of lists', decode: parse, lines, encode: (lists) => `{ ${lines(lists).join(', ')} }` }
}

type Texts = Readonly<Record<string, string>>

type TextsGiven = Described<Texts> & {
  readonly bounds: string
  readonly isKey: (key: string) => boolean
  readonly isText: (text: string) => boolean
}

/** A section with keys of the user's own, each a text. */
export function texts({ isKey, isText, ...described }: TextsGiven): Option<Texts> {
  const lines = (value: Texts): readonly string[] => Object.entries(value).map(([key, item]) => `${keyText(key)} = ${quoted(item)}`)
  const faultOf = (key: string, item: unknown): readonly { readonly key: string; readonly why: string }[] => {
    if (!isKey(key)) return [{ key, why: `is not a valid name: ${described.bounds}` }]
    return typeof item === 'string' && isText(item) ? [] : [{ key, why: `is not valid (${shown(item)}): ${described.bounds}` }]
  }
  return {
    ...described,
    type: 'section of texts',
    decode: (raw) => {
      if (!isTable(raw)) return { ok: false, why: `must be a section: ${described.bounds}` }
      const faults = Object.entries(raw).flatMap(([key, item]) => faultOf(key, item))
      return faults.length > 0 ? { ok: false, faults } : { ok: true, value: { ...raw } as Texts }
    },
    lines,
    encode: (value) => `{ ${lines(value).join(', ')} }`,
  }
}

export function isKeySequence(value: string): boolean {
  const keys = value.split(' ')
  return keys.length <= 4 && keys.every((key) => keyBytes(key).ok)
}

const SHOWN_LENGTH = 40
const shown = (value: unknown): string => (typeof value === 'string' ? quoted(value.slice(0, SHOWN_LENGTH)) : `a ${typeof value}`)

/** The known agents, with the user's over them; only the user's are written back. */
export function agents(described: Described<readonly Agent[]> & { readonly bounds: string }): Option<readonly Agent[]> {
  return {
    ...described,
    type: 'sections, one for each agent',
    decode: (raw) => {
      const parsed = parseUserAgents(raw, { agents: described.default, isKey: (name) => keyBytes(name).ok })
      if (parsed.ok) return { ok: true, value: parsed.agents }
      return { ok: false, faults: parsed.problems.map(({ path, why }) => ({ key: path, why })) }
    },
    lines,
    encode: (value) => `{ ${lines(value).join(', ')} }`,
  }
}

const lines = (value: readonly Agent[]): readonly string[] =>
  value.filter(isUserAgent).map(({ id, written }) => {
    const fields = Object.entries(written).map(
      ([name, field]) => `${name} = ${typeof field === 'string' ? quoted(field) : listText(field)}`,
    )
    return `${keyText(id)} = { ${fields.join(', ')} }`
  })
