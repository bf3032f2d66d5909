/** Chance that can be repeated: the same seed gives the same choices. */
export type Random = {
  /** From 0 up to 1. */
  next(): number
  below(count: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (count: number): number => Math.floor(next() * count)
  return { next, below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] }
}
