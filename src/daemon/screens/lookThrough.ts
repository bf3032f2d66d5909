/**
 * Looks for a text in what a run has printed since a seq, by reading its log once more: for a wait that began with
 * another daemon, so that this one did not see the text.
 */
import type { Since } from './screenMessages.ts'
import { ScreenSession } from './screenSession.ts'
import { type SessionEvents, UNHEARD } from './sessionEvents.ts'
import type { TimedPattern } from './timedPattern.ts'

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
