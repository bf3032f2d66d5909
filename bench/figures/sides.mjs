/** Both sides of a comparison, in the same lab. Without tmux, Holdfast is measured alone. */
import { Holdfast } from '../lab/holdfast.mjs'
import { Tmux, tmuxVersion } from '../lab/tmux.mjs'

export async function startSides(lab) {
  const holdfast = await Holdfast.start(lab)
  const tmux = tmuxVersion() === null ? null : await Tmux.start(lab)
  return { holdfast, tmux, sides: tmux === null ? [holdfast] : [holdfast, tmux] }
}

/** Each round begins with another side, so that neither always runs in the other's wake. */
export const inTurn = (sides, round) => sides.map((_, index) => sides[(index + round) % sides.length])

/** Collects one number per round and side under a name; `rows` makes the figure's rows of them. */
export class Rounds {
  #series = new Map()

  add(side, name, value) {
    const key = `${side}|${name}`
    this.#series.set(key, [...(this.#series.get(key) ?? []), value])
  }

  of(side, name) {
    return this.#series.get(`${side}|${name}`) ?? []
  }

  /** A row with Holdfast's numbers and tmux's for the same name. */
  row({ figure, label, unit, peerName }) {
    return { figure, label, unit, peerName, holdfast: this.of('holdfast', figure), peer: this.of('tmux', figure) }
  }
}
