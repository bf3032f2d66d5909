/**
 * A link to a thread that may end, and to the one that takes its place; whoever uses it notices nothing but failures. A thread that
 * only does not answer is left alone: ended in the midst of native code, it would take the whole process with it.
 */
import { done, type Result } from '../base/refusal.ts'
import { failureOf, StoreFailure } from './failure.ts'
import type { WorkerLink } from './workerLink.ts'

export type ReplaceableLink = Omit<WorkerLink, 'ended'> & {
  /** Opens another thread. Returns what that one found wrong; rejects when it cannot be opened, and while the first one lives. */
  replace(): Promise<readonly string[]>
  /** Has `tell` called when a thread ends though nobody has closed it. */
  onEnded(tell: () => void): void
}

export async function openReplaceable(open: () => Promise<Result<WorkerLink>>): Promise<Result<ReplaceableLink>> {
  const opened = await open()
  if (!opened.ok) return opened
  let current = opened.value
  let isClosed = false
  let tellEnd = (): void => undefined
  const follow = (link: WorkerLink): void => void link.ended.then(() => isClosed || tellEnd())
  follow(current)
  return done({
    troubles: current.troubles,
    write: (writes) => current.write(writes),
    ask: (question) => current.ask(question),
    act: (deed) => current.act(deed),
    close: () => {
      isClosed = true
      return current.close()
    },
    hasEnded: () => current.hasEnded(),
    onEnded: (tell) => {
      tellEnd = tell
    },
    async replace() {
      if (!current.hasEnded()) throw new StoreFailure(failureOf('held', 'its thread still lives'))
      const next = isClosed ? null : await open()
      if (next === null) throw new StoreFailure(failureOf('closed'))
      if (!next.ok) throw new StoreFailure(failureOf('broken', next.refusal.message))
      current = next.value
      follow(current)
      return current.troubles
    },
  })
}
