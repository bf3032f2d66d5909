/** What may be written about an agent in config.toml, and what is wrong with it. */
import type { Quit } from './agent.ts'
import { at } from './decode.ts'
import { isQuick } from './quickPattern.ts'

type QuitSignal = Extract<Quit, { readonly kind: 'signal' }>['signal']

export type Fields = {
  readonly label?: string
  /** Names of its command, or parts of its path. */
  readonly recognise?: readonly string[]
  readonly resume?: readonly string[]
  readonly latest?: readonly string[]
  readonly id_pattern?: string
  readonly exit_hint?: string
  readonly quit_keys?: string
  readonly quit_signal?: QuitSignal
  /** Flags that take a value, or stand alone: what is not named here is carried too, if it is clear what belongs to it. */
  readonly carry?: readonly string[]
  /** Flags that send a prompt or choose a conversation. */
  readonly drop?: readonly string[]
  readonly config_env?: readonly string[]
}

/** `why` goes on from the name of what is wrong; an empty path is the section itself. */
export type AgentProblem = { readonly path: readonly string[]; readonly why: string }
export type ReadFields = { readonly fields: Fields; readonly problems: readonly AgentProblem[] }

type IsKey = (name: string) => boolean
type Judge = (value: unknown, isKey: IsKey) => string | null

const SAFE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,400}$/u
const FLAG = /^-[\w-]+(?: [A-Z]+(?:\.\.\.)?)?$/
const MOST_WORDS = 50

const isText = (value: unknown): value is string => typeof value === 'string' && SAFE.test(value)

const words =
  (fits: (word: string) => boolean, like: string): Judge =>
  (value) =>
    Array.isArray(value) && value.length <= MOST_WORDS && value.every((word) => isText(word) && fits(word))
      ? null
      : `must be a list of ${like}`

const JUDGES: Readonly<Record<keyof Fields, Judge>> = {
  label: (value) => (isText(value) ? null : 'must be a text in quotes'),
  recognise: words((word) => !/\s/.test(word) && word !== '/', 'names of its command, or parts of its path like "/my-agent/dist/"'),
  resume: (value, isKey) => words(() => true, 'arguments like ["--resume", "{id}"]')(value, isKey) ?? faultOfPlace(value),
  latest: words(() => true, 'arguments like ["--continue"]'),
  id_pattern: faultOfPattern,
  exit_hint: (value) => (isText(value) && value.split('{id}').length === 2 ? null : 'must be a text with {id} in it, once'),
  quit_keys: (value, isKey) =>
    isText(value) && value.split(' ').length <= 4 && value.split(' ').every(isKey)
      ? null
      : 'must be one to four keys such as C-c, separated by spaces',
  quit_signal: (value) =>
    value === 'SIGINT' || value === 'SIGTERM' || value === 'SIGHUP' ? null : 'must be "SIGINT", "SIGTERM" or "SIGHUP"',
  carry: words((word) => FLAG.test(word), 'flags like "--verbose", "--model VALUE" or "--add-dir VALUES..."'),
  drop: words((word) => FLAG.test(word), 'flags like "--once", "--prompt VALUE" or "--image VALUES..."'),
  config_env: words((word) => /^[A-Za-z_]\w*$/.test(word), 'names of variables'),
}

const faultOfPlace = (value: unknown): string | null =>
  Array.isArray(value) && value.some((word) => typeof word === 'string' && word.includes('{id}'))
    ? null
    : 'must have {id} in one of its arguments'

const LONGEST_PATTERN = 200

function faultOfPattern(value: unknown): string | null {
  const why = 'must be a regular expression for a whole id'
  if (!isText(value) || value.length > LONGEST_PATTERN) return why
  if (!isQuick(value)) return 'must be simpler: at most three repetitions, none inside another, and six choices'
  try {
    return new RegExp(`^(?:${value})$`).test('') ? 'must not fit an empty id' : null
  } catch {
    return why
  }
}

const isField = (name: string): name is keyof Fields => Object.hasOwn(JUDGES, name)

export function readFields(id: string, value: unknown, isKey: IsKey): ReadFields {
  const none = (path: readonly string[], why: string): ReadFields => ({ fields: {}, problems: [{ path, why }] })
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id)) return none([id], 'cannot be the name of an agent')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none([id], `is a section: write [agents.${id}]`)
  const problems = Object.entries(value).flatMap(([name, given]): AgentProblem[] => {
    const why = isField(name) ? JUDGES[name](given, isKey) : `is not known; an agent has ${Object.keys(JUDGES).join(', ')}`
    return why === null ? [] : [{ path: [id, name], why }]
  })
  if (at(value, 'quit_keys') !== undefined && at(value, 'quit_signal') !== undefined)
    problems.push({ path: [id, 'quit_signal'], why: 'cannot stand beside quit_keys: one of them leaves the agent' })
  return { fields: problems.length > 0 ? {} : (value as Fields), problems }
}
