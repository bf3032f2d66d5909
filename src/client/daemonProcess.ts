/**
 * Finds the daemon, or starts one and waits until it answers. Any number of clients may do so at once: the daemon's own
 * lock lets one win, and everyone connects to that one.
 */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { Paths } from '../wire/paths.ts'
import { DaemonClient, type Reconnect } from './daemonClient.ts'
import type { Launched } from './launchDaemon.ts'
import { unixTransport } from './unixTransport.ts'

/** A daemon answers within half a second; one that rebuilds a hundred screens on a busy machine may need longer. */
const READY_WITHIN_MS = 10_000
const ASK_AGAIN_MS = 15

export type DaemonOptions = {
  readonly paths: Paths
  readonly who: string
  readonly version: string
  readonly reconnect?: Exclude<Reconnect, 'always'>
}
export type StartOptions = DaemonOptions & { readonly entry?: string; readonly withinMs?: number }

/** Connects to a running daemon; refuses when there is none. */
export async function connectDaemon({ paths, who, version, reconnect = 'never' }: DaemonOptions): Promise<Result<DaemonClient>> {
  const client = new DaemonClient({ connect: unixTransport(paths.daemonSocket), who, version, reconnect })
  const link = await client.ready()
  return link.ok ? done(client) : link
}

/** Connects to the daemon, and starts it first if nobody listens. */
export async function ensureDaemon(options: StartOptions): Promise<Result<DaemonClient>> {
  const running = await connectDaemon(options)
  if (running.ok || running.refusal.code !== 'daemon-unreachable') return running
  // Most commands find a running daemon: they need not pay for what only a start needs.
  const { launchDaemon } = await import('./launchDaemon.ts')
  const launched = launchDaemon(options.paths, options.entry)
  return launched.ok ? await untilReady(options, launched.value) : launched
}

async function untilReady(options: StartOptions, launched: Launched): Promise<Result<DaemonClient>> {
  const deadline = Date.now() + (options.withinMs ?? READY_WITHIN_MS)
  for (;;) {
    const link = await connectDaemon(options)
    if (link.ok || link.refusal.code !== 'daemon-unreachable') return link
    const refusal = launched.refusal()
    // Somebody else was quicker: theirs is the one to wait for.
    if (refusal !== null && refusal.code !== 'daemon-running') return refused(refusal)
    if (Date.now() > deadline) return refused(refusals.daemonUnreachable('it did not get ready in time'))
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}
