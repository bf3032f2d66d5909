/**
 * Secrets without a known prefix look like noise: a run of characters that is long and not made of words. Names,
 * paths and identifiers are made of words, so they stay.
 */
import { REDACTED } from './redactShapes.ts'

const LONG = 16 // characters of noise: 80 bits and more; shorter ones are ids, versions and short hashes of commits
const RUN = /[A-Za-z0-9+/_~-]{20,}={0,2}/g
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
/** Conversations of opencode and its descendants. */
const SESSION = /^ses_[0-9A-Za-z]{8,64}$/
const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
const HEX = /^[0-9a-f]+$/i
const COMMIT_LENGTHS = [40, 64]
/** What stands right before the hash of a commit, an object or a package. */
const SAYS_COMMIT =
  /(?:\b(?:commit|commits|checkout|switch|revert|reset|show|cherry-pick|rebase|merge|merged|tree|parent|blob|tag|rev|revision|ref|head|sha|sha1|sha256|sha512|git|describe|bisect|good|bad|onto|from|index|object|fetch_head|branch)\b[\s:=@/('"`#-]*(?:--?[a-z-]+[\s=]+)*|\.\.\.?)$/i
const SAYS_DIGEST = /\bsha(?:1|256|384|512)[:=-]$/i
/** Places whose names are noise although they are no secret. */
const NOISY_PLACES = /^(?:\/nix\/store\/[0-9a-z]{32}-|(?:\/private)?\/var\/folders\/[^/]{2}\/[^/]+\/)/

export function redactRandom(text: string): string {
  return text
    .replace(RUN, (run, at: number) => judged(run, text.slice(Math.max(0, at - CONTEXT), at)))
    .replace(BEFORE_REDACTED, (start) => (isMostlyWordless(start) ? '' : start))
}

/** Noise may hold what looks like the prefix of a token; then its beginning is still there. */
const BEFORE_REDACTED = /(?<![A-Za-z0-9+/_~-])[A-Za-z0-9+/_~-]{7,}[-_](?=\[redacted\])/g

const CONTEXT = 40 // characters before a hash in which a word may say what it is

function judged(run: string, before: string): string {
  if (UUID.test(run) || SESSION.test(run) || isCommit(run, before)) return run
  const place = NOISY_PLACES.exec(run)?.[0] ?? ''
  const rest = run.slice(place.length)
  const bare = rest.replace(UUIDS, '-')
  if (!isPath(run)) return isNoise(bare) ? REDACTED : run
  const noise = noiseIn(bare)
  // Noise may begin with a slash by chance; a path is mostly words.
  if ((noise >= LONG && noise >= rest.length / 2) || isMixedNoise(bare)) return place + REDACTED
  return place + rest.split('/').map(judgedSegment).join('/')
}

const judgedSegment = (segment: string): string => (isNoise(segment.replace(UUIDS, '-')) ? REDACTED : segment)

const isPath = (run: string): boolean => /^~?\//.test(run) || run.split('/').length > 2

function isCommit(run: string, before: string): boolean {
  if (SAYS_DIGEST.test(before)) return true
  const hash = /^(?:sha(?:1|256|384|512)-)/i.exec(run)
  if (hash !== null) return true
  return HEX.test(run) && COMMIT_LENGTHS.includes(run.length) && SAYS_COMMIT.test(before)
}

const isNoise = (text: string): boolean => noiseIn(text) >= LONG || isMixedNoise(text)

/** How many characters are in pieces that no word explains. */
function noiseIn(run: string): number {
  const pieces = run.split(/[-_/+=~]+/).filter((piece) => !isWordy(piece))
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

/** One case, or a number that could be a time; camelCase and Names2. */
const ONE_WORD = /^(?:[0-9]{1,14}|[a-z]{1,19}|[A-Z]{1,19})$/
const CAMEL =
  /^(?:[a-z]{1,15}|[A-Z][a-z]{1,15}|[A-Z]{2,6}(?=[A-Z][a-z]|[0-9]|$))(?:[A-Z][a-z]{1,15}|[A-Z]{2,5}(?=[A-Z][a-z]|$)|[0-9]{1,4}(?=[A-Z][a-z]|$))*$/
const SHORT_MIX = 4 // x86, v12, a1b2

const isWordy = (piece: string): boolean => piece.length <= SHORT_MIX || ONE_WORD.test(piece) || isCamel(piece)

/** Noise may change its case where words do, but much more often. */
const LETTERS_PER_WORD = 3.5
const isCamel = (piece: string): boolean =>
  CAMEL.test(piece) && piece.length / (piece.match(/[A-Z]+|^[a-z]/g)?.length ?? 1) >= LETTERS_PER_WORD

const MIXED_LONG = 12 // letters and digits in no word: 70 bits and more

/** Where both cases are mixed, any shape may come about by chance, also that of many short pieces: most of it must be words. */
const isMixedNoise = (text: string): boolean => isMixed(text) && wordless(text).count >= MIXED_LONG && isMostlyWordless(text)

const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text)

const WORDLESS_PART = 0.4
function isMostlyWordless(text: string): boolean {
  const { count, of } = wordless(text)
  return count > of * WORDLESS_PART
}

/** Whether letters could be a word, by which letter follows which: what is random falls through, whatever its shape. */

/** Pairs that make up nineteen in twenty of those in English words and in identifiers; one in three of random ones. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  ...{ a: 'bcdgiklmnprstuvwy', b: 'aeilorsu', c: 'aehklortu', d: 'adeilorsu', e: 'acdefgilmnpqrstvwxy', f: 'aefilortu', g: 'aehinrsu' },
  ...{
    h: 'aeiort',
    i: 'abcdefglmnoprstvz',
    j: 'aeosu',
    k: 'eis',
    l: 'adeilostuy',
    m: 'aeimop',
    n: 'acdegiknostu',
    o: 'bcdfgiklmnoprstuvw',
  },
  ...{ p: 'aeiloprstu', q: 'u', r: 'acdegiklmnorstuy', s: 'acehiklopstuwy', t: 'acehilorstuy', u: 'abceilmnprst', v: 'aei', w: 'aehinors' },
  ...{ x: 'pt', y: 'ps', z: 'e' },
}
const SHORTEST = 3 // two letters are a word too easily
const USUAL_PAIRS = 0.7

function isWordlike(word: string): boolean {
  const letters = word.toLowerCase()
  if (letters.length < SHORTEST) return false
  const pairs = letters.length - 1
  let usual = 0
  for (let at = 0; at < pairs; at += 1) if (FOLLOWERS[letters[at] ?? '']?.includes(letters[at + 1] ?? '') === true) usual += 1
  return usual >= pairs * USUAL_PAIRS
}

/** `HTTPServerName2` is HTTP, Server, Name and 2. */
const HUMPS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|[0-9]+/g

/** How many letters and digits of a text are in no word. */
function wordless(text: string): { readonly count: number; readonly of: number } {
  let [count, of] = [0, 0]
  for (const [hump] of text.matchAll(HUMPS)) {
    of += hump.length
    if (!isWordlike(hump)) count += hump.length
  }
  return { count, of }
}
