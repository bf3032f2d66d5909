/** Stops the daemon and returns when it is gone, so that what follows does not meet it half-way. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { DaemonClient } from '../client/daemonClient.ts'
import { unixTransport } from '../client/unixTransport.ts'
import type { Host } from './host.ts'
import { VERSION } from './version.ts'

/** It keeps what is unkept before it goes; a slow disk may need a while for that. */
const GONE_WITHIN_MS = 15_000

export type Stopped = { readonly wasRunning: boolean; readonly ended: number }

export async function stopDaemon(host: Host, { all }: { readonly all: boolean }): Promise<Result<Stopped>> {
  const client = new DaemonClient({ connect: unixTransport(host.paths.daemonSocket), who: 'cli', version: VERSION, reconnect: 'never' })
  const link = await client.ready()
  if (!link.ok && client.identity === null) return done({ wasRunning: false, ended: 0 })
  const asked = link.ok ? await askToStop(client, all) : stopOtherVersion(client, all)
  const isGone = asked.ok && (await isGoneInTime(client))
  client.close()
  if (!asked.ok) return asked
  return isGone
    ? done({ wasRunning: true, ended: asked.value })
    : refused(refusals.timeout(`the daemon (pid ${client.identity?.pid ?? 0}) is still stopping`))
}

async function askToStop(client: DaemonClient, all: boolean): Promise<Result<number>> {
  const answer = await client.request('daemon.stop', { all })
  if (answer.ok) return done(answer.value.result.ended)
  // It may be gone before its answer is through.
  return !all && answer.refusal.code === 'daemon-unreachable' ? done(0) : answer
}

/** With another protocol only the signal is common ground; it cannot say what to do with the programs. */
function stopOtherVersion(client: DaemonClient, all: boolean): Result<number> {
  const { identity, state } = client
  if (identity === null || (all && state.kind === 'over'))
    return refused(state.kind === 'over' ? state.refusal : refusals.daemonUnreachable('it does not answer'))
  process.kill(identity.pid, 'SIGTERM')
  return done(0)
}

/** It holds the connection until its process ends. Its pid may be seen longer than that: somebody has to reap it first. */
function isGoneInTime(client: DaemonClient): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), GONE_WITHIN_MS)
    const look = (): void => {
      if (client.state.kind !== 'over') return
      clearTimeout(timer)
      resolve(true)
    }
    client.onState(look)
    look()
  })
}
