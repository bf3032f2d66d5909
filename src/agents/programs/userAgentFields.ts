/** What may be written about an agent in config.toml, and what is wrong with it. */
import type { Quit } from '../agent.ts'
import { at } from '../decode.ts'

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

/** `why` completes "NAME …"; an empty path is the section itself. */
export type AgentProblem = { readonly path: readonly string[]; readonly why: string }
type ReadFields = { readonly fields: Fields; readonly problems: readonly AgentProblem[] }

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
    return new RegExp(`^(?:${value})$`).test('') ? 'must not match an empty id' : null
  } catch {
    return why
  }
}

const isField = (name: string): name is keyof Fields => Object.hasOwn(JUDGES, name)

export function readFields(id: string, value: unknown, isKey: IsKey): ReadFields {
  const none = (path: readonly string[], why: string): ReadFields => ({ fields: {}, problems: [{ path, why }] })
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id)) return none([id], 'is not a valid agent name')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none([id], `is a section: write [agents.${id}]`)
  const problems = Object.entries(value).flatMap(([name, given]): AgentProblem[] => {
    const why = isField(name) ? JUDGES[name](given, isKey) : `is not known; an agent has ${Object.keys(JUDGES).join(', ')}`
    return why === null ? [] : [{ path: [id, name], why }]
  })
  if (at(value, 'quit_keys') !== undefined && at(value, 'quit_signal') !== undefined)
    problems.push({ path: [id, 'quit_signal'], why: 'excludes quit_keys: use one of the two' })
  return { fields: problems.length > 0 ? {} : (value as Fields), problems }
}

/**
 * Whether a regular expression for ids is matched in no time, whatever the id. Ids have at most 128 characters, so a few
 * repetitions side by side cost some hundred thousand steps at worst; one inside another, or a repeated choice, may never end.
 */
const MOST_REPETITIONS = 3
const MOST_CHOICES = 6

const REPETITION = /^(?:[*+]|\{\d+(,\d*)?\})/

export function isQuick(pattern: string): boolean {
  /** Of each open group, whether there is more than one way to match it. */
  const groups: boolean[] = [false]
  let [repetitions, choices] = [0, 0]
  const vary = (): void => void groups.splice(-1, 1, true)
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    if (/^\\[1-9k]/.test(rest)) return false
    const atom = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|.)/su.exec(rest)?.[0] ?? rest
    at += atom.length
    if (atom.startsWith('(')) {
      groups.push(false)
      continue
    }
    if (atom === '|') {
      choices += 1
      vary()
      continue
    }
    const isVaried = atom === ')' ? groups.pop() === true : false
    if (isVaried) vary()
    const repetition = REPETITION.exec(pattern.slice(at))
    if (repetition !== null) {
      if (isVaried) return false
      const isFixed = repetition[0].startsWith('{') && repetition[1] === undefined
      repetitions += isFixed ? 0 : 1
      if (!isFixed) vary()
      at += repetition[0].length
    }
    if (pattern[at] === '?') {
      choices += repetition === null ? 1 : 0 // after a repetition it only says which way to try first
      if (repetition === null) vary()
      at += 1
    }
  }
  return repetitions <= MOST_REPETITIONS && choices <= MOST_CHOICES
}
