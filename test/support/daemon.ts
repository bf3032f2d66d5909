import process from 'node:process'
import { DaemonClient } from '../../src/client/daemonClient.ts'
import { unixTransport } from '../../src/client/unixTransport.ts'
import { json } from './holdfast.ts'
import { endProcess, endProcesses, processesMentioning, type SeenProcess } from './processes.ts'

export type Listed = {
  readonly id: string
  readonly name: string | null
  readonly state: string
  readonly because: { readonly kind: string; readonly status?: object; readonly reason?: string } | null
  readonly trouble: string | null
  readonly pid: number | null
  readonly holderPid: number | null
  readonly command: string
  readonly since: number
}
export type Status = {
  readonly pid: number
  readonly version: string
  readonly home: string
  readonly web: { readonly url: string | null }
  readonly snapshots: { readonly taken: number; readonly inexact: number }
  readonly troubles: readonly string[]
}

type Where = { readonly path: string }

export const list = (home: Where): Promise<Listed[]> => json<Listed[]>(home, ['ls'])
export const status = (home: Where): Promise<Status> => json<Status>(home, ['daemon', 'status'])

export const isDaemon = ({ command }: SeenProcess): boolean => /holdfast-daemon|daemon\/main\.js/.test(command)
const isHolder = ({ command }: SeenProcess): boolean => /holdfast-holder|holder\/main\.js/.test(command)

export const daemonsOf = (home: Where): SeenProcess[] => processesMentioning(home.path).filter(isDaemon)
export const holdersOf = (home: Where): SeenProcess[] => processesMentioning(home.path).filter(isHolder)

/** The programs that run in this home's terminals: children of holders. */
export function programsOf(home: Where): SeenProcess[] {
  const seen = processesMentioning(home.path)
  const holders = new Set(seen.filter(isHolder).map(({ pid }) => pid))
  return seen.filter(({ parent }) => holders.has(parent))
}

/** Pulls the plug on the daemon, whatever it is doing. */
export function killDaemon(home: Where): void {
  for (const daemon of daemonsOf(home)) endProcess(daemon)
}

/** The same for the holders too. */
export const killDaemonAndHolders = (home: Where): Promise<void> =>
  endProcesses(home.path, { isMeant: (seen) => isDaemon(seen) || isHolder(seen) })

export function isRunning(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Speaks to the daemon of this home without the CLI in between; to be closed. */
export async function connectTo(home: Where): Promise<DaemonClient> {
  const client = new DaemonClient({
    connect: unixTransport(`${home.path}/sockets/daemon.sock`),
    who: 'test',
    version: '0',
    reconnect: 'never',
  })
  await client.ready()
  return client
}
