import type { Result } from '../../src/base/refusal.ts'
import { DaemonClient } from '../../src/client/daemonClient.ts'
import { unixTransport } from '../../src/client/unixTransport.ts'
import type { HealthView } from '../../src/wire/healthView.ts'
import { json, type RunOptions } from './holdfast.ts'
import { endProcess, endProcesses, processesMentioning, type SeenProcess } from './processes.ts'
import type { TerminalRow } from './terminalView.ts'

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
  readonly conversation: string | null
  readonly offers: { readonly resume: string | null; readonly conversation: boolean; readonly fresh: string } | null
  readonly back: { readonly kind: string; readonly agent: string | null; readonly text: string } | null
}
export type Status = {
  readonly pid: number
  readonly version: string
  readonly home: string
  readonly web: { readonly url: string | null }
  readonly clients: number
  readonly screens?: { readonly open: number; readonly opened: number; readonly deferred: number }
  readonly snapshots: { readonly taken: number; readonly inexact: number }
  readonly events?: { readonly dropped: Readonly<Record<string, number>> }
  readonly troubles: readonly string[]
}

type Where = { readonly path: string }

/** As `ls` and `daemon status` say it, without a process for each question. Where no daemon answers, the CLI does what it does then. */
export const views = async (home: Where, options?: RunOptions): Promise<TerminalRow[]> =>
  (await ask(home, (daemon) => daemon.request('terminal.list', {}))) ?? (await json<TerminalRow[]>(home, ['ls'], options))
export const list = (home: Where): Promise<Listed[]> => views(home) as Promise<Listed[]>
export const status = async (home: Where): Promise<Status> =>
  (await ask(home, (daemon) => daemon.request('daemon.status', {}))) ?? (await json<Status>(home, ['daemon', 'status']))

/** As `health --json` says it; with `check`, everything is looked at first. */
export const health = async (home: Where, options: { readonly check?: boolean } = {}): Promise<HealthView> =>
  (await ask(home, (daemon) => daemon.request('health.show', options))) ?? (await json<HealthView>(home, ['health']))

async function ask<Value>(home: Where, question: (daemon: DaemonClient) => Promise<Result<{ result: Value }>>): Promise<Value | null> {
  const client = await connectTo(home)
  try {
    if (client.state.kind !== 'connected') return null
    const answer = await question(client)
    if (!answer.ok) throw new Error(answer.refusal.message)
    return answer.value.result
  } finally {
    client.close()
  }
}

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
