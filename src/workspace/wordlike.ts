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

export function isWordlike(word: string): boolean {
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
export function wordless(text: string): { readonly count: number; readonly of: number } {
  let [count, of] = [0, 0]
  for (const [hump] of text.matchAll(HUMPS)) {
    of += hump.length
    if (!isWordlike(hump)) count += hump.length
  }
  return { count, of }
}
