/** Starts over: every program is put to sleep, a checkpoint is taken, and every terminal is closed. */
import { randomBytes } from 'node:crypto'
import { makePlace, type TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { planStartOver } from '../../workspace/checkpoint/startOver.ts'
import { trip } from '../base/trip.ts'
import { restore } from '../checkpoints/restore.ts'
import type { Handler } from '../clients/handler.ts'
import { sleepAll } from '../sleep/putToSleep.ts'
import { outOfReach } from '../terminals/endAndClose.ts'
import type { Parts } from './world.ts'

type World = Pick<Parts, 'checkpoints' | 'layout' | 'registry' | 'waiting'> & Parameters<typeof restore>[0] & Parameters<typeof sleepAll>[0]
type Gone = { readonly id: TerminalId; readonly name: string | null }

export const startOver: Handler<'workspace.startOver', World> = async (daemon) => {
  let closed: readonly Gone[] = []
  const restored = await restore(daemon, {
    ...{ what: 'start over', checkpoint: null, note: 'before starting over' },
    prepare: () => settleAll(daemon),
    plan: (undo) => {
      closed = daemon.layout.inDockOrder().map(({ id, name }) => ({ id, name }))
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

/** Ends every program first, so that its conversation is in the checkpoint. Refused if no checkpoint could be taken. */
async function settleAll(daemon: World): Promise<Result<null>> {
  // A program out of reach cannot be ended, and the terminal of a running program is never forgotten.
  for (const terminal of daemon.registry.all()) {
    const unreachable = outOfReach(terminal)
    if (unreachable !== null) return unreachable
  }
  try {
    await daemon.checkpoints.take('event')
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
  await Promise.all(daemon.registry.all().map(({ id }) => daemon.waiting.started(id)))
  await sleepAll(daemon)
  trip('startOver:settled')
  return stillBusy(daemon) ?? done(null)
}

function stillBusy(daemon: World): ReturnType<typeof refused> | null {
  const busy = daemon.registry.all().find(({ state }) => state !== 'asleep')
  return busy === undefined ? null : refused(refusals.busy(busy.id, 'still ending'))
}
