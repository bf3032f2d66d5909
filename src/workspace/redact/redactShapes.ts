/**
 * Secrets that are known by their looks, wherever they stand. What is replaced may be more than the secret, never less.
 *
 * Left alone on purpose: UUIDs and `ses_…`, because conversations are known by them; and the hash of a commit where a word beside it
 * says that it is one ("commit 3f2a…", "sha256:…"). Without such a word, 32 hex digits or more are taken for a key.
 */
export const REDACTED = '[redacted]'

const PEM = /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g

/** Prefixes that makers of tokens chose so that they can be found. */
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    '(?:sk|rk|pk)[-_][A-Za-z0-9_-]{8,}',
    'gh[pousr]_[A-Za-z0-9]{16,}',
    'github_pat_[A-Za-z0-9_]{16,}',
    'gl(?:pat|ptt|dt|rt|soat|cbt)-[A-Za-z0-9_-]{10,}',
    'A(?:KIA|SIA|GPA|IDA|ROA|NPA|NVA)[A-Z0-9]{12,}',
    'AIza[A-Za-z0-9_-]{20,}',
    'ya29\\.[A-Za-z0-9_-]{10,}',
    'xox[a-z]-[A-Za-z0-9-]{8,}',
    'xapp-[A-Za-z0-9-]{8,}',
    'npm_[A-Za-z0-9]{16,}',
    'pypi-[A-Za-z0-9_-]{16,}',
    '(?:hf|gsk|r8|xai|pplx|fw|tgp_v1|nvapi|sbp|dop_v1|doo_v1|shpat|shpss|whsec|lin_api|secret|ntn|figd|sntrys|sntryu)[-_][A-Za-z0-9_-]{16,}',
    'SG\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
    'eyJ[A-Za-z0-9_-]{6,}(?:\\.[A-Za-z0-9_-]*)+',
  ].join('|')})`,
  'g',
)

/** `https://user:password@host`: the user stays, which `ssh://git@host` shows to be useful. */
const URL_PASSWORD = /((?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,20}:\/\/)([^\s:/?#"'<>@]*):([^\s/?#"'<>]+)@/g
/** A token in the place of the user, as some hosts take it. */
const URL_LONG_USER = /((?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,20}:\/\/)([^\s:/?#"'<>@]{20,})@/g
const BEARER = /\b(bearer)(\s+|%20|\+)[A-Za-z0-9._~+/=%-]{6,}/gi
/** The other schemes are also words of prose; what follows must not look like one. */
const SCHEME =
  /\b([Bb]asic|[Nn]egotiate|[Dd]igest|[Tt]oken|[Aa]pi[Kk]ey)(\s+|%20|\+)(?=[A-Za-z0-9._~+/=%-]*[0-9A-Z=_+/])[A-Za-z0-9._~+/=%-]{6,}/g

export function redactShapes(text: string): string {
  return text
    .replace(PEM, REDACTED)
    .replace(PREFIXED, REDACTED)
    .replace(URL_PASSWORD, (_, scheme: string, user: string) => `${scheme}${user}:${REDACTED}@`)
    .replace(URL_LONG_USER, (_, scheme: string) => `${scheme}${REDACTED}@`)
    .replace(BEARER, (_, scheme: string, gap: string) => `${scheme}${gap}${REDACTED}`)
    .replace(SCHEME, (_, scheme: string, gap: string) => `${scheme}${gap}${REDACTED}`)
}
