/** Both sides of a comparison, in the same lab. Without tmux, Holdfast is measured alone. */
import { Holdfast } from '../lab/holdfast.mjs'
import { Tmux, tmuxVersion } from '../lab/tmux.mjs'

/** `historyLines`: how many rows tmux keeps per pane. */
export async function startSides(lab, { historyLines } = {}) {
  const holdfast = await Holdfast.start(lab)
  const tmux = tmuxVersion() === null ? null : await Tmux.start(lab, { historyLines })
  return { holdfast, tmux, sides: tmux === null ? [holdfast] : [holdfast, tmux] }
}
