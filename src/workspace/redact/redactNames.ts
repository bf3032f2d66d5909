/** Which names stand for a secret: of variables, options, JSON keys, headers and query parameters alike. */
import { REDACTED } from './redactShapes.ts'

/** Found anywhere in a name, also where nothing separates the words. */
const TELLING = [
  ...['TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'PASSPHRASE', 'PASSCODE', 'CREDENTIAL', 'COOKIE', 'BEARER'],
  ...['APIKEY', 'ACCESSKEY', 'PRIVATEKEY', 'SIGNINGKEY', 'AUTHORIZATION', 'AUTHORISATION', 'OAUTH', 'SIGNATURE', 'WEBHOOK'],
]
/** Only as a word of its own, because it is also the beginning of harmless ones. */
const WORDS = new Set([
  ...['KEY', 'KEYS', 'AUTH', 'PASS', 'PWD', 'CREDS', 'CRED', 'PAT', 'JWT', 'PEM', 'DSN', 'OTP', 'TOTP', 'MFA', 'PIN', 'SALT', 'SIG', 'SAS'],
  ...['SECRETS', 'TOKENS', 'SID', 'SESSIONID', 'CSRF', 'XSRF', 'NONCE', 'PSK', 'HMAC', 'ENCRYPTION', 'CONNSTR'],
])
/** Ends that give a name away even when it is written as one word: DBPASS, AWSKEY, GHPAT. */
const ENDS = ['KEY', 'PASS', 'PWD', 'AUTH']

/** Names that sound like secrets and hold a path, an address or a setting that people look for. */
const HARMLESS = new Set([
  ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GIT_ASKPASS', 'XAUTHORITY', 'KRB5CCNAME'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_PROFILE', 'KEYBOARD', 'MONKEY'],
])

export function isSecretName(name: string): boolean {
  if (HARMLESS.has(name.toUpperCase())) return false
  const words = wordsOf(name)
  const joined = words.join('')
  if (TELLING.some((telling) => joined.includes(telling))) return true
  return words.some((word) => WORDS.has(word)) || ENDS.some((end) => joined.endsWith(end))
}

/** What is left of the strict ones where a name stands in prose: "Primary key: id" and "pass: 3" tell no secret. */
const PROSE = /^(?:pass|key|keys|auth|pin|sid|sig|salt|nonce|pat|pem|encryption)$/i
const isSecretNameInProse = (name: string): boolean => !PROSE.test(name) && isSecretName(name)

/** SOME_NAME, some-name, someName, SomeHTTPName: the words, in capitals. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')

/**
 * Finds in any text what a name gives away: assignments, JSON, YAML, options, headers, parameters of URLs. Repetitions
 * are bounded: a screen may hold a line of a megabyte, and redacting it must stay linear.
 */

const NAME = String.raw`[A-Za-z_][\w.-]{0,80}`
const START = String.raw`(?<![\w.-])`
const SPOKEN = '(?:api|access|private|secret|signing|encryption|auth|license) (?:key|token|code)'

/** What leads to a value; the value is looked at only where the name is telling, because it may hold names itself. */
type Lead = { readonly form: RegExp; readonly isSecret: (name: string) => boolean }
const LEADS: readonly Lead[] = [
  { form: new RegExp(String.raw`(?<quote>\\{0,8}["'])(?<name>${NAME})\k<quote>\s{0,8}[:=]>?\s{0,8}`, 'g'), isSecret: isSecretName },
  { form: new RegExp(String.raw`${START}-{0,2}(?<name>${NAME})\s{0,8}=>?\s{0,8}`, 'g'), isSecret: isSecretName },
  { form: new RegExp(String.raw`(?<![\w-])--?(?<name>${NAME})\s{1,8}(?!-)`, 'g'), isSecret: isSecretName },
  { form: new RegExp(String.raw`${START}(?<name>${SPOKEN}|${NAME}):\s{0,8}`, 'gi'), isSecret: isSecretNameInProse },
]

/** In quotes, which may be escaped themselves or never end; or up to the next blank. */
const VALUE = new RegExp(
  [
    String.raw`"(?:\\[\s\S]|[^"\\])*"`,
    `'[^']*'`,
    String.raw`(?<open>\\{1,8}["'])(?:(?!(?<!\\)\k<open>)[\s\S])*\k<open>`,
    String.raw`\\{0,8}["'][^\r\n]*`,
    String.raw`[^\s"'\\]+`,
  ].join('|'),
  'y',
)
const QUOTE = /^\\*["']/

const PARAMETER = /([?&;#])([A-Za-z_][\w.-]{0,80})=([^&;#\s"'<>\\]+)/g
const USER_OPTION = /(?<![\w-])(-u|--user|--proxy-user)([\s=]{1,8}["']?[^\s:"']{1,80}:)([^\s"']+)/g
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|auth|secret)[\w-]{0,40})(\s{0,8}[:=]\s{0,8}\\{0,8}["']?)([^\r\n"'\\]+)/gi

export function redactNamed(text: string): string {
  const lines = text
    .replace(HEADER, (_, name: string, between: string) => `${name}${between}${REDACTED}`)
    .replace(PARAMETER, (whole, mark: string, name: string) => (isSecretName(name) ? `${mark}${name}=${REDACTED}` : whole))
    .replace(USER_OPTION, (_, option: string, user: string) => `${option}${user}${REDACTED}`)
  return LEADS.reduce(redactAfter, lines)
}

function redactAfter(text: string, { form, isSecret }: Lead): string {
  const parts: string[] = []
  let done = 0
  for (const match of text.matchAll(form)) {
    const at = match.index + match[0].length
    if (match.index < done || !isSecret(match.groups?.['name'] ?? '')) continue
    VALUE.lastIndex = at
    const value = VALUE.exec(text)?.[0]
    if (value === undefined || value.startsWith(REDACTED)) continue
    const quote = QUOTE.exec(value)?.[0] ?? ''
    parts.push(text.slice(done, at), quote, REDACTED, quote)
    done = at + value.length
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done)
}
