/** Stops the daemon and returns when it is gone, so that what follows does not meet it half-way. */
import { readFileSync } from 'node:fs'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { DaemonClient } from '../client/daemonClient.ts'
import { unixTransport } from '../client/unixTransport.ts'
import type { Host } from './host.ts'
import { type FellAsleep, followAsleep, type Stopped } from './stopProgress.ts'
import { VERSION } from './version.ts'

/** It keeps what is unkept before it goes; a slow disk may need a while for that. */
const GONE_WITHIN_MS = 15_000
const LOOK_AGAIN_MS = 10

export type Stopping = {
  readonly all: boolean
  /** Told of each terminal that falls asleep. */
  readonly tell?: (fallen: FellAsleep) => void
}

export async function stopDaemon(host: Pick<Host, 'paths'>, { all, tell }: Stopping): Promise<Result<Stopped>> {
  const client = new DaemonClient({ connect: unixTransport(host.paths.daemonSocket), who: 'cli', version: VERSION, reconnect: 'never' })
  const link = await client.ready()
  if (!link.ok && link.refusal.code === 'socket-not-ours') return link
  if (!link.ok && client.identity === null) return done({ wasRunning: false, ended: 0 })
  if (all && tell !== undefined && link.ok) followAsleep(client, tell)
  const asked = link.ok ? await askToStop(client, all) : stopOtherVersion(client, all)
  client.close()
  if (!asked.ok) return asked
  const pid = client.identity?.pid ?? 0
  return (await isGoneInTime(pid))
    ? done({ wasRunning: true, ...asked.value })
    : refused(refusals.timeout(`the daemon (pid ${pid}) is still stopping`))
}

type Programs = Omit<Stopped, 'wasRunning'>

async function askToStop(client: DaemonClient, all: boolean): Promise<Result<Programs>> {
  const answer = await client.request('daemon.stop', { all })
  if (answer.ok) return done(answer.value.result)
  // It may be gone before its answer is through.
  return !all && answer.refusal.code === 'daemon-unreachable' ? done({ ended: 0 }) : answer
}

/** With another protocol only the signal is common ground; it cannot say what to do with the programs. */
function stopOtherVersion(client: DaemonClient, all: boolean): Result<Programs> {
  const { identity, state } = client
  if (identity === null || (all && state.kind === 'over'))
    return refused(state.kind === 'over' ? state.refusal : refusals.daemonUnreachable('it does not answer'))
  process.kill(identity.pid, 'SIGTERM')
  return done({ ended: 0 })
}

/** By its process, not by its connection: one of another version closes that long before it has stopped. */
async function isGoneInTime(pid: number): Promise<boolean> {
  const deadline = Date.now() + GONE_WITHIN_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  return true
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isUnreaped(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a container its pid may be seen for long after its end: somebody has to reap it first. */
function isUnreaped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false // no such file system, or gone this very moment: the signal tells
  }
}
