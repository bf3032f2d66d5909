/** Which names stand for a secret: of variables, options, JSON keys, headers and query parameters alike. */

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
export const isSecretNameInProse = (name: string): boolean => !PROSE.test(name) && isSecretName(name)

/** SOME_NAME, some-name, someName, SomeHTTPName: the words, in capitals. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
