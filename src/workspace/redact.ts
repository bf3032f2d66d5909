/**
 * Takes secrets out of what is captured, shown or exported: by what they are called and by what they look like. Rather
 * too much is taken than too little; what stands under an ordinary name and looks ordinary stays as it is.
 */
import { type Environment, isPassable, matcher } from './environmentNames.ts'
import { ALLOWED, MARKERS } from './environmentTables.ts'
import { redactNamed } from './redactNamed.ts'
import { isSecretName } from './redactNames.ts'
import { redactProgramText, redactProgramWords } from './redactPrograms.ts'
import { redactRandom } from './redactRandom.ts'
import { REDACTED, redactShapes } from './redactShapes.ts'
import type { Restore, Terminal } from './terminal.ts'
import type { Wrapper, WrapperLine } from './wrapper/wrapper.ts'

const isAllowed = matcher(ALLOWED)
const isMarker = matcher(MARKERS)

/** What may be remembered of a program's environment: names from the allow-list, values without secrets. */
export function captureEnvironment(seen: Readonly<Record<string, string | undefined>>, allow: readonly string[] = []): Environment {
  const isAllowedByUser = matcher(allow)
  const passes = (name: string): boolean => (isAllowed(name) || isAllowedByUser(name)) && !isMarker(name)
  const captured = Object.entries(seen).flatMap(([name, value]) =>
    value !== undefined && isPassable(name, value) && passes(name) ? [[name, value] as const] : [],
  )
  return redactEnvironment(Object.fromEntries(captured))
}

export function redactEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, redactValue(name, value)]))
}

export function redactValue(name: string, value: string): string {
  return value === '' ? value : isSecretName(name) ? REDACTED : redactText(value)
}

/** An option whose name tells of a secret takes its value along, in the same word or the next. */
export function redactArgv(argv: readonly string[]): readonly string[] {
  const known = redactProgramWords(argv)
  return known.map((word, index) => {
    const before = argv[index - 1]
    if (word !== argv[index]) return word
    if (takesSecret(before) && !isOption(word)) return REDACTED
    const user = takesUser(before) ? /^([^:]+):./.exec(word)?.[1] : undefined
    return user === undefined ? redactWord(word) : `${user}:${REDACTED}`
  })
}

/** `curl -u user:password` */
const takesUser = (before: string | undefined): boolean => before === '-u' || before === '--user' || before === '--proxy-user'

const isOption = (word: string): boolean => /^--?[A-Za-z][\w-]*(?:=|$)/.test(word)
const takesSecret = (before: string | undefined): boolean =>
  before !== undefined && /^--?[A-Za-z][\w.-]*$/.test(before) && isSecretName(before.replace(/^-+/, ''))

function redactWord(word: string): string {
  const assigned = /^(-{0,2}[A-Za-z_][\w.-]*)=([\s\S]+)$/.exec(word)
  // What ends in = may be padding, and the name itself the secret.
  return assigned?.[1] !== undefined && isSecretName(assigned[1]) ? `${redactText(assigned[1])}=${REDACTED}` : redactText(word)
}

/** Any text: a line of a screen, a command, JSON, a URL. Several lines may be given at once. */
export function redactText(text: string): string {
  return redactRandom(redactShapes(redactNamed(redactProgramText(text))))
}

/** Plain data: strings are redacted, and what stands under a telling key goes whole. */
export function redactPlain(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? redactArgv(value) : value.map(redactPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactUnder(key, inner)]))
}

const redactUnder = (key: string, inner: unknown): unknown =>
  isSecretName(key) && (typeof inner === 'string' || typeof inner === 'number') ? REDACTED : redactPlain(inner)

/** For exports and for showing: a record that can no longer be woken as it was, but gives nothing away. */
export function redactTerminal<Any extends Terminal>(terminal: Any): Any {
  const { spec, restore } = terminal
  return {
    ...terminal,
    ...('previousRestore' in terminal && terminal.previousRestore !== null
      ? { previousRestore: redactRestore(terminal.previousRestore) }
      : {}),
    title: redactText(terminal.title),
    restore: redactRestore(restore),
    spec: { ...spec, args: redactArgv([spec.command, ...spec.args]).slice(1), env: redactEnvironment(spec.env) },
  }
}

function redactRestore(restore: Restore): Restore {
  if (restore.kind !== 'conversation' && restore.kind !== 'quit') return restore
  const wrapper = restore.wrapper === undefined ? {} : { wrapper: redactWrapper(restore.wrapper) }
  if (restore.kind === 'quit') return { ...restore, ...wrapper }
  const env = restore.env === undefined ? {} : { env: redactEnvironment(restore.env) }
  return { ...restore, argv: redactArgv(restore.argv), ...env, ...wrapper }
}

function redactWrapper(wrapper: Wrapper): Wrapper {
  if (wrapper.kind === 'line') return redactLine(wrapper)
  // What is only to be read was redacted when it was written.
  return wrapper.kind === 'none' || wrapper.inside === undefined ? wrapper : { ...wrapper, inside: redactLine(wrapper.inside) }
}

function redactLine(line: WrapperLine): WrapperLine {
  const { before, text } = line
  const redacted = text === undefined ? {} : { text: { words: redactArgv(text.words), after: redactArgv(text.after) } }
  return { ...line, before: redactArgv(before), ...redacted }
}
