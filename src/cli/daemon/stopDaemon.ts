/**
 * The daemon as a process: stopping it (here), its log (logFile), and the service that starts it at login (service, and manager
 * for systemd and launchd). Its commands are asked by the verbs themselves. Start reading here. Below: `core/` and `text/`.
 */
import { readFileSync } from 'node:fs'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { DaemonClient } from '../../client/daemonClient.ts'
import { unixTransport } from '../../client/unixTransport.ts'
import { VERSION } from '../../client/version.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Cli } from '../core/verb.ts'

/** The daemon writes everything to disk before it exits; a slow disk may need a while for that. */
const GONE_WITHIN_MS = 15_000
const LOOK_AGAIN_MS = 10

export type Stopping = {
  readonly all: boolean
  /** Called for each terminal that falls asleep. */
  readonly tell?: (fallen: FellAsleep) => void
}

/** Resolves when the daemon's process is gone, so that the next command does not meet it half-way. */
export async function stopDaemon(cli: Pick<Cli, 'paths'>, { all, tell }: Stopping): Promise<Result<Stopped>> {
  const client = new DaemonClient({ connect: unixTransport(cli.paths.daemonSocket), who: 'cli', version: VERSION, reconnect: 'never' })
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
  // The daemon may exit before its answer arrives.
  return !all && answer.refusal.code === 'daemon-unreachable' ? done({ ended: 0 }) : answer
}

/** A daemon of another protocol understands only the signal, which cannot say what to do with the programs. */
function stopOtherVersion(client: DaemonClient, all: boolean): Result<Programs> {
  const { identity, state } = client
  if (identity === null || (all && state.kind === 'over'))
    return refused(state.kind === 'over' ? state.refusal : refusals.daemonUnreachable('it does not answer'))
  process.kill(identity.pid, 'SIGTERM')
  return done({ ended: 0 })
}

/** Looks at the process, not at the connection: a daemon of another version closes that long before it exits. */
async function isGoneInTime(pid: number): Promise<boolean> {
  const deadline = Date.now() + GONE_WITHIN_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  return true
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isUnreaped(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a container the pid may stay visible long after the exit, until the parent reaps it. */
function isUnreaped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
  } catch {
    return false // no /proc, or just gone: then the signal decides
  }
}

const SHOWN_OF_ID = 8 // characters: enough to distinguish conversations

export type FellAsleep = {
  readonly id: string
  readonly name: string | null
  readonly conversation: string | null
  readonly ms: number
  /** It keeps running in the user's own tmux. */
  readonly isLetGo?: boolean
}

export function asleepLine({ id, name, conversation, ms, isLetGo }: FellAsleep): string {
  if (isLetGo === true) return `${name ?? id}  released, keeps running in your tmux`
  const kept = conversation === null ? '' : `, conversation ${conversation.slice(0, SHOWN_OF_ID)}… kept`
  return `${name ?? id}  asleep${kept}  ${(ms / 1_000).toFixed(1)} s`
}

type Watching = Pick<DaemonClient, 'watch'>

/** Calls `tell` once for each running terminal that falls asleep. */
export function followAsleep(
  client: Watching,
  tell: (fallen: FellAsleep) => void,
  now: () => number = () => performance.now(),
): () => void {
  const running = new Set<string>()
  const begun = now()
  const look = ({ id, name, state, conversation, backend }: TerminalView): void => {
    if (state !== 'asleep') running.add(id)
    else if (running.delete(id))
      tell({ id, name, conversation, ms: Math.round(now() - begun), ...(backend === 'guest' ? { isLetGo: true } : {}) })
  }
  return client.watch({
    onAll: ({ terminals }) => terminals.forEach(look),
    onEvent: (event) => event.kind === 'terminal' && look(event.terminal),
  })
}

const programs = (count: number): string => (count === 1 ? '1 program' : `${count} programs`)

export type Stopped = {
  readonly wasRunning: boolean
  /** Programs that were put to sleep. */
  readonly ended: number
  /** Programs that keep running; undefined where the daemon did not say. */
  readonly running?: number
  /** Names of terminals whose programs could not be ended in time. */
  readonly unsettled?: readonly string[]
}

export function stoppedText({ wasRunning, ended, running, unsettled = [] }: Stopped, { all }: { readonly all: boolean }): string {
  if (!wasRunning) return 'The daemon is not running.'
  if (!all) return `Stopped. ${runningText(running)}`
  const late = unsettled.length === 0 ? '' : `\nDid not end in time, and may still be running: ${unsettled.join(', ')}.`
  return `Stopped; ${programs(ended)} put to sleep.${late}`
}

function runningText(running: number | undefined): string {
  if (running === 0) return 'No program was running.'
  if (running === undefined) return 'Programs keep running; the next start reconnects them.'
  return running === 1
    ? '1 program keeps running; the next start reconnects it.'
    : `${running} programs keep running; the next start reconnects them.`
}
