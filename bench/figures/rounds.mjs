/** Rounds of a comparison: how many there is time for, who begins, and what they gave. */

/** Counts rounds up to `count`, but begins none that would probably end after `seconds`; one is always made. */
export function* roundsWithin(seconds, count) {
  const began = performance.now()
  for (let round = 0; round < count; round += 1) {
    const spentMs = performance.now() - began
    if (round > 0 && spentMs + spentMs / round > seconds * 1_000) return
    yield round
  }
}

/** Each round begins with another side, so that neither always runs in the other's wake. */
export const inTurn = (sides, round) => sides.map((_, index) => sides[(index + round) % sides.length])

/** Collects one number per round and side under a name. */
export class Rounds {
  #series = new Map()

  add(side, name, value) {
    const key = `${side}|${name}`
    this.#series.set(key, [...(this.#series.get(key) ?? []), value])
  }

  of(side, name) {
    return this.#series.get(`${side}|${name}`) ?? []
  }

  /** A row of the table: Holdfast's numbers, and the peer's (tmux where not said otherwise) under the same name. */
  row({ figure, label, unit, peerName, peer = 'tmux' }) {
    return { figure, label, unit, peerName, holdfast: this.of('holdfast', figure), peer: this.of(peer, figure) }
  }
}
