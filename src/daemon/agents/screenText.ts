import type { RunId } from '../../base/ids.ts'
import type { AgentWorld } from './world.ts'

/** What stands on the screen now; empty where there is none yet. */
export async function screenText({ screens, runScreens, log }: AgentWorld, run: RunId): Promise<string> {
  try {
    if (!screens.has(run)) return await runScreens.deferred.textOf(run)
    return (await screens.read(run, { history: 0, format: 'text' })).content
  } catch (error) {
    log.debug({ run, error: (error as Error).message }, 'a screen could not be read')
    return ''
  }
}
