/** Both sides of a comparison, in the same lab. Without tmux, Holdfast is measured alone. */
import { Holdfast } from '../lab/holdfast.mjs'
import { Tmux, tmuxVersion } from '../lab/tmux.mjs'

export async function startSides(lab) {
  const holdfast = await Holdfast.start(lab)
  const tmux = tmuxVersion() === null ? null : await Tmux.start(lab)
  return { holdfast, tmux, sides: tmux === null ? [holdfast] : [holdfast, tmux] }
}
