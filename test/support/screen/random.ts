/** Randomness that a seed brings back. */
export type Random = {
  /** From 0 up to, without, `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<Value>(values: readonly Value[]): Value
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    // A Weyl sequence through a 32-bit mixer: short, and without visible pattern.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }
  const random: Random = {
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = values[random.below(values.length)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
  return random
}
