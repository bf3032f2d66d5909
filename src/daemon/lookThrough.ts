/**
 * Looks for a text in what a run has printed since a seq, by reading its log once more: for a wait that began with
 * another daemon, while nobody watched the text come and go.
 */
import type { SessionOrder } from './screenMessages.ts'
import { ScreenSession, type SessionEvents, UNHEARD } from './screenSession.ts'
import type { TimedPattern } from './screens/timedPattern.ts'

export type Since = { readonly order: SessionOrder; readonly seq: number }

/** Matches what was visible at the seq, and everything printed from there to now. Throws where the pattern is too slow. */
export async function lookThrough({ order, seq }: Since, pattern: TimedPattern): Promise<string | null> {
  let mark: ReturnType<ScreenSession['screen']['mark']> | null = null
  let found: string | null = null
  const look = (): void => {
    if (mark === null || found !== null) return
    found = pattern.find(session.screen.textSince(mark))
    mark.dispose()
    mark = session.screen.mark()
  }
  const events: SessionEvents = {
    ...UNHEARD,
    // Asked before each feed, and so exactly at the seq.
    isLookedAt: () => {
      if (mark === null && session.seq >= seq) mark = session.screen.mark()
      return mark !== null
    },
    passing: look,
  }
  const snapshot = order.snapshot !== null && order.snapshot.seq <= seq ? order.snapshot : null
  const session = new ScreenSession({ ...order, snapshot, cutAt: seq }, events)
  try {
    await session.replay()
    return found
  } finally {
    session.close()
  }
}
