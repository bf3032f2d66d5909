/**
 * src/workspace/redact: which variables a program inherits (environment.ts), and how secrets are taken out of what is captured, shown
 * or exported. Secrets are found by name (redactNames.ts), by program (redactPrograms.ts), by known shape (redactShapes.ts) and by
 * randomness (redactRandom.ts). Rather too much is redacted than too little; ordinary text under an ordinary name stays. Text in, text
 * out; nothing of the workspace comes in.
 */
import { ALLOWED, type Environment, isPassable, MARKERS, matcher } from './environment.ts'
import { isSecretName, redactNamed } from './redactNames.ts'
import { redactProgramText, redactProgramWords } from './redactPrograms.ts'
import { redactRandom } from './redactRandom.ts'
import { REDACTED, redactShapes } from './redactShapes.ts'

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
