import { randomBytes } from 'node:crypto'
import { makePlace, type TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { planStartOver } from '../../workspace/startOver.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { restore } from '../restore.ts'
import { outOfReach } from '../terminals/endAndClose.ts'
import { trip } from '../trip.ts'

type Gone = { readonly id: TerminalId; readonly name: string | null }

export const startOver: Handler<'workspace.startOver'> = async (daemon) => {
  let closed: readonly Gone[] = []
  const restored = await restore(daemon, {
    ...{ what: 'start over', checkpoint: null, note: 'before starting over' },
    prepare: () => settleAll(daemon),
    plan: (undo) => {
      closed = daemon.inDockOrder().map(({ id, name }) => ({ id, name }))
      const busy = stillBusy(daemon)
      if (busy !== null) return Promise.resolve(busy)
      const head = { id: undo, at: Date.now() }
      const terminals = daemon.registry.all().map(({ id }) => id)
      const place = { spare: makePlace(randomBytes), host: daemon.checkpoints.host }
      return Promise.resolve(done(planStartOver({ terminals, checkpoint: head, ...place })))
    },
  })
  if (!restored.ok) return restored
  return { ok: true, result: { checkpoint: restored.value.undo, closed: [...closed] } }
}

/** Every program is asked to finish, so that its conversation is in the checkpoint. Before that it is seen whether there can be one. */
async function settleAll(daemon: Daemon): Promise<Result<null>> {
  // Nobody could end its program, and the terminal of a program that runs on is never forgotten.
  for (const terminal of daemon.registry.all()) {
    const unreachable = outOfReach(terminal)
    if (unreachable !== null) return unreachable
  }
  try {
    await daemon.checkpoints.take('event')
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  await Promise.all(daemon.registry.all().map(({ id }) => daemon.started(id)))
  await daemon.sleepAll()
  trip('startOver:settled')
  return stillBusy(daemon) ?? done(null)
}

function stillBusy(daemon: Daemon): ReturnType<typeof refused> | null {
  const busy = daemon.registry.all().find(({ state }) => state !== 'asleep')
  return busy === undefined ? null : refused(refusals.busy(busy.id, 'still ending'))
}
