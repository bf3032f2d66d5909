import type { RunId } from '../../base/ids.ts'
import type { Daemon } from '../daemon.ts'

/** What stands on the screen now; empty where there is none yet. */
export async function screenText({ screens, log }: Daemon, run: RunId): Promise<string> {
  if (!screens.has(run)) return ''
  try {
    return (await screens.read(run, { history: 0, format: 'text' })).content
  } catch (error) {
    log.debug({ run, error: (error as Error).message }, 'a screen could not be read')
    return ''
  }
}
