/** How a run's session is called in our tmux server: nothing can be read off it, and nothing else is ever taken for one. */
import { isId, type RunId } from '../base/ids.ts'

const PREFIX = 'holdfast-'

export const sessionOf = (run: RunId): string => `${PREFIX}${run}`

/** Null for a session that is not ours, whatever it is called. */
export function runOf(session: string): RunId | null {
  const run = session.startsWith(PREFIX) ? session.slice(PREFIX.length) : ''
  return isId('run', run) ? run : null
}

/** Every name is looked at before it is used: tmux reads names as patterns, and a pattern may match another session. */
export function checkedSession(session: string): string {
  if (runOf(session) === null) throw new Error(`${JSON.stringify(session)} is not the session of a run`)
  return session
}

const PANE = /^%\d{1,10}$/

export function checkedPane(pane: string): string {
  if (!PANE.test(pane)) throw new Error(`${JSON.stringify(pane)} is not a pane of tmux`)
  return pane
}
