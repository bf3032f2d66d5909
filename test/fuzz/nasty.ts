/** Values that have broken readers before, and ways to break a good value a little. */
import fc from 'fast-check'

const TEXTS = [
  ...['', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty', 'then', 'length', 'null'],
  ...['\0', 'a\0b', '\ud800', 'a\udc00b', '\u202e', '\u2028', '\ufeff', '\x1b]0;x\x07', '\x1b[31m', '\r\n', '💥', 'e\u0301'],
  ...['../../x', '/dev/null', '-rf', '--', '$(x)', '*', '{', '[1', '"', '\\', '9'.repeat(400), 'x'.repeat(5_000), 'é'.repeat(3_000)],
]
const NUMBERS = [0, -0, 1, -1, 0.5, 255, 256, 65_535, 65_536, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308]

export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
/** With a mark in place of half a character, as UTF-8 has it. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()

export const nastyNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))

/** Objects that throw when they are made into a text or a number. */
const stubborn = fc.constantFrom<unknown>({ toString: 0, valueOf: 0 }, { toJSON: {} }, { length: 2 ** 32 }, { then: {} })

/** What JSON can say; `keys` lead deep into the reader that is tried. */
export function nastyJson(keys: readonly string[] = [], values: readonly unknown[] = []): fc.Arbitrary<unknown> {
  const key = keys.length === 0 ? nastyText : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keys) }, nastyText)
  const known = values.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...values) }]
  const scalar = fc.oneof(...known, nastyText, nastyNumber, fc.boolean(), fc.constant(null), stubborn)
  return fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: scalar },
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map(objectOf),
    ),
  })).json
}

/** `__proto__` becomes an entry like any other, as JSON.parse makes it. */
const objectOf = (entries: readonly (readonly [string, unknown])[]): unknown => Object.fromEntries(entries)

const DEEP = ['['.repeat(30_000), `${'{"a":'.repeat(20_000)}1`, `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`] // deeper than any stack

/** A text that is nearly, or exactly, JSON. */
export const jsonTextOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: value.map(textOf) },
    { weight: 2, arbitrary: fc.tuple(value.map(textOf), fc.nat(200)).map(([text, at]) => text.slice(0, at)) },
    { weight: 1, arbitrary: value.map((given) => `{"__proto__":${textOf(given)},"__proto__":{"polluted":true}}`) },
    { weight: 1, arbitrary: fc.constantFrom(...DEEP) },
    { weight: 1, arbitrary: nastyText },
  )

/** Empty for what JSON cannot say. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

type Change = { readonly at: number; readonly to: unknown; readonly how: 'replace' | 'remove' | 'add' }

/** A good value with one to three places of it changed. */
export function changedJson(good: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown> = nastyJson()): fc.Arbitrary<unknown> {
  const how = fc.constantFrom<Change['how']>('replace', 'replace', 'remove', 'add')
  const changes = fc.array(fc.record({ at: fc.nat(400), to: other, how }), { minLength: 1, maxLength: 3 })
  return fc
    .tuple(good, changes)
    .map(([value, list]) =>
      list.reduce((now, change) => changed(now, { ...change, to: structuredClone(change.to) }), structuredClone(value)),
    )
}

function changed(value: unknown, { at, to, how }: Change): unknown {
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push({ holder: node as Record<string, unknown>, key })
      visit((node as Record<string, unknown>)[key])
    }
  }
  visit(value)
  const place = places[at % (places.length + 1)]
  if (place === undefined) return to // the whole of it
  if (how === 'remove' && !Array.isArray(place.holder)) delete place.holder[place.key]
  else if (how === 'add' && !Array.isArray(place.holder)) place.holder[`x${place.key}`] = to
  else Object.defineProperty(place.holder, place.key, { value: to, enumerable: true, configurable: true, writable: true })
  return value
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
export const randomBytes: fc.Arbitrary<Uint8Array> = bytes(300)

type Damage = (bytes: Buffer) => Buffer
const place = fc.nat(1 << 20)

/** Lengths and counts stand in four bytes, in either order. */
const number = fc.tuple(place, fc.constantFrom(0, 1, 4, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 20, 64 << 20), fc.boolean())
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(
    ([at, bit]): Damage =>
      (from) => {
        if (from.length > 0) from[at % from.length] = (from[at % from.length] ?? 0) ^ (1 << bit)
        return from
      },
  ),
  fc.tuple(place, bytes(20)).map(
    ([at, more]): Damage =>
      (from) => {
        const cut = at % (from.length + 1)
        return Buffer.concat([from.subarray(0, cut), more, from.subarray(cut)])
      },
  ),
  fc.tuple(place, fc.nat(64)).map(
    ([at, length]): Damage =>
      (from) => {
        const cut = at % (from.length + 1)
        return Buffer.concat([from.subarray(0, cut), from.subarray(cut + length)])
      },
  ),
  fc.tuple(place, fc.nat(400)).map(
    ([at, length]): Damage =>
      (from) => {
        const cut = at % (from.length + 1)
        return Buffer.concat([from.subarray(0, cut + length), from.subarray(cut)])
      },
  ),
  place.map(
    (at): Damage =>
      (from) =>
        from.subarray(0, at % (from.length + 1)),
  ),
  number.map(
    ([at, value, little]): Damage =>
      (from) => {
        if (from.length < 4) return from
        const to = at % (from.length - 3)
        if (little) from.writeUInt32LE(value, to)
        else from.writeUInt32BE(value, to)
        return from
      },
  ),
)

/** Good bytes with one to four injuries. */
export const damagedBytes = (good: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(good, fc.array(damage, { minLength: 1, maxLength: 4 }))
    .map(([from, injuries]) => injuries.reduce<Buffer>((now, injure) => injure(now), Buffer.from(from)))

/** Where to cut a stream into the chunks that arrive. */
export const chunkLengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 })

export function chunksOf(whole: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (const length of lengths) {
    if (at >= whole.length) break
    chunks.push(whole.subarray(at, at + length))
    at += length
  }
  return at < whole.length ? [...chunks, whole.subarray(at)] : chunks
}
