/**
 * How the daemon ends in good order. What must not be lost comes first: a machine that is shut down gives two seconds or
 * less, and ends the programs at the same moment. A signal may mean just that, so then every part has a limit; whoever
 * uses the command waits for the disk.
 */
import { rmSync } from 'node:fs'
import type { SessionId } from '../base/ids.ts'
import type { Daemon } from './daemon.ts'
import { keepTold } from './lastLife.ts'

type Patience = { readonly screens: number; readonly checkpoint: number; readonly effects: number; readonly rest: number }

const PATIENCE_MS: Readonly<Record<'command' | 'signal', Patience>> = {
  command: { screens: 10_000, checkpoint: 10_000, effects: 10_000, rest: 5_000 },
  signal: { screens: 500, checkpoint: 400, effects: 200, rest: 200 },
}
/** Agents that end with the machine say what they have to within this time. */
const HEARD_WITHIN_MS = 1_200

export type Ending = {
  readonly by: 'command' | 'signal'
  readonly session: SessionId
  /** At once: nothing new begins. */
  readonly quiet: () => void
  /** What holds nothing that must be kept. */
  readonly rest: () => Promise<unknown>
}

export async function end(daemon: Daemon, { by, session, quiet, rest }: Ending): Promise<void> {
  const at = Date.now()
  const patience = PATIENCE_MS[by]
  const { log, store, paths } = daemon
  log.info({ by }, 'the daemon stops')
  quiet()
  if (by === 'signal') daemon.endings.begin()
  const told = by === 'signal' ? keepTold(daemon, at) : Promise.resolve()
  await within(Promise.all([told, daemon.keepScreens()]), patience.screens)
  await within(daemon.checkpoints.end(), patience.checkpoint)
  if (daemon.endings.hasAny) await within(daemon.endings.allHeard(), at + HEARD_WITHIN_MS - Date.now())
  await within(daemon.registry.stop(), patience.effects)
  daemon.holders.stop()
  await store.endSession(session, { clean: true }).catch((error: Error) => log.error({ error: error.message }, 'the end is not kept'))
  await within(rest(), patience.rest)
  rmSync(paths.daemonSocket, { force: true })
  rmSync(paths.daemonCard, { force: true })
  await store.close()
  log.info({ ms: Date.now() - at }, 'the daemon has stopped')
}

/** A part that fails has said so itself. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms))
  })
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
