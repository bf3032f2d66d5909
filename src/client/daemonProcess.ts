/**
 * Finds the daemon, or starts one and waits until it answers. Any number of clients may do so at once: the daemon's lock
 * lets one daemon win, and all clients connect to it.
 */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { Paths } from '../wire/paths.ts'
import { DaemonClient, type Reconnect } from './daemonClient.ts'
import { isInSandbox } from './programSocket.ts'
import { unixTransport } from './unixTransport.ts'

/** A daemon answers within half a second; rebuilding a hundred screens on a busy machine takes longer. */
const READY_WITHIN_MS = 10_000
const ASK_AGAIN_MS = 15
const TRY_AGAIN_MS = 200

export type DaemonOptions = {
  readonly paths: Paths
  readonly who: string
  readonly version: string
  readonly reconnect?: Exclude<Reconnect, 'always'>
  /** Of the terminal that this process is in: taken where the ordinary one cannot be reached. */
  readonly programSocket?: string | null
}
export type StartOptions = DaemonOptions & { readonly entry?: string; readonly withinMs?: number }

/** Connects to a running daemon; refuses when there is none. */
export async function connectDaemon(options: DaemonOptions): Promise<Result<DaemonClient>> {
  const { paths, programSocket = null } = options
  const link = await connectAt(paths.daemonSocket, options)
  if (link.ok || programSocket === null || link.refusal.code !== 'daemon-unreachable') return link
  const limited = await connectAt(programSocket, options)
  return limited.ok || limited.refusal.code !== 'daemon-unreachable' ? limited : link
}

/** As a program of its terminal, with no more rights than that needs. */
export async function connectAsProgram(options: DaemonOptions & { readonly programSocket: string | null }): Promise<Result<DaemonClient>> {
  const limited = options.programSocket === null ? null : await connectAt(options.programSocket, options)
  return limited?.ok === true ? limited : await connectDaemon({ ...options, programSocket: null })
}

async function connectAt(socket: string, { who, version, reconnect = 'never' }: DaemonOptions): Promise<Result<DaemonClient>> {
  const client = new DaemonClient({ connect: unixTransport(socket), who, version, reconnect })
  const link = await client.ready()
  return link.ok ? done(client) : link
}

/** Connects to the daemon, and starts it first if it is not running. */
export async function ensureDaemon(options: StartOptions): Promise<Result<DaemonClient>> {
  const running = await connectDaemon(options)
  if (running.ok || running.refusal.code !== 'daemon-unreachable') return running
  if (isInSandbox(options.programSocket ?? null, options.paths))
    return refused(refusals.daemonUnreachable('it is not running, and its state directory cannot be seen from inside this sandbox'))
  return await startDaemon(options)
}

async function startDaemon(options: StartOptions): Promise<Result<DaemonClient>> {
  // Most commands find a running daemon, and do not load the code that starts one.
  const { launchDaemon } = await import('./launchDaemon.ts')
  const deadline = Date.now() + (options.withinMs ?? READY_WITHIN_MS)
  let launched = launchDaemon(options.paths, options.entry)
  for (;;) {
    if (!launched.ok) return launched
    const link = await connectDaemon(options)
    if (link.ok || link.refusal.code !== 'daemon-unreachable') return link
    if (Date.now() > deadline) return refused(refusals.daemonUnreachable('it did not get ready in time'))
    const end = launched.value.end()
    if (end !== null && end.code !== 'daemon-running') return refused(end)
    await new Promise((resolve) => setTimeout(resolve, end === null ? ASK_AGAIN_MS : TRY_AGAIN_MS))
    // Another process holds the lock: that daemon is either starting, and answers soon, or stopping.
    if (end !== null && !(await isThere(options))) launched = launchDaemon(options.paths, options.entry)
  }
}

async function isThere(options: StartOptions): Promise<boolean> {
  const link = await connectDaemon({ ...options, reconnect: 'never' })
  if (link.ok) link.value.close()
  return link.ok
}
