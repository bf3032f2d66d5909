/**
 * A holder that is watched. One that does not answer is looked at as a process: stopped, busy and gone are three things, and in two of
 * them its program keeps running. Nothing here ever ends anything.
 */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { assertNever } from '../../base/assertNever.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { systemReason } from '../../base/systemReason.ts'
import { type Processes, type ProcessInfo, systemProcesses } from '../../holder/processes.ts'
import type { HolderCard, HolderStatus } from '../../wire/holder.ts'
import { segmentSeq } from '../../wire/log.ts'
import type { Link } from '../../workspace/terminal/terminal.ts'
import type { Holders } from '../backends/holders.ts'
import { answered, gone, type Sight, silent, type Watched } from './watched.ts'

export type HolderWorld = {
  readonly holders: Pick<Holders, 'ask' | 'card' | 'reconnect'>
  readonly run: RunId
  readonly terminal: TerminalId
  /** Where the run's log is; null where it has none. */
  readonly logDirectory: string | null
  name(): string
  link(): Link | null
  /** Sentences about what of its log is lost. */
  damage(): readonly string[]
  readonly processes?: Processes
}

export const holderId = (run: RunId): string => `holder:${run}`

export function watchHolder(world: HolderWorld): Watched {
  const { run, terminal, processes = systemProcesses() } = world
  return {
    id: holderId(run),
    kind: 'holder',
    name: () => world.name(),
    terminal,
    check: ({ withinMs }) => look(world, processes, withinMs),
    recover: () => recover(world, processes),
  }
}

async function look(world: HolderWorld, processes: Processes, withinMs: number): Promise<Sight> {
  const card = world.holders.card(world.run)
  if (card === null) return gone('it has no holder')
  const before = { hadSocket: existsSync(card.socketPath), unreadable: whyUnreadable(world) }
  const status = await world.holders.ask(world.run, withinMs)
  return status === null ? await whySilent(world, processes, card) : answered(noteOf(world, card, { ...before, status }))
}

type Seen = { readonly status: HolderStatus; readonly hadSocket: boolean; readonly unreadable: string | null }

/** What is wrong although it answers. Asked for its status, a holder puts back the file that others connect through, and its log. */
function noteOf(world: HolderWorld, card: HolderCard, { status, ...before }: Seen): string | null {
  if (!existsSync(card.socketPath)) return 'its socket is gone, so new clients cannot connect; it restores the socket within a minute'
  if (!before.hadSocket) return 'its socket was gone and was restored'
  if (status.degraded !== null) return `its log is only in memory: ${status.degraded}`
  const unreadable = whyUnreadable(world)
  if (unreadable !== null) return `its log cannot be read: ${unreadable}`
  if (before.unreadable !== null) return `its log could not be read (${before.unreadable}) and was restored`
  const [fault] = world.damage()
  return fault === undefined ? null : `its log is damaged: ${fault}`
}

function whyUnreadable({ logDirectory }: HolderWorld): string | null {
  if (logDirectory === null) return null
  try {
    const names = readdirSync(logDirectory).filter((name) => segmentSeq(name) !== null)
    const newest = names.sort().at(-1)
    if (newest === undefined) return 'it is gone'
    const path = `${logDirectory}/${newest}`
    if (!statSync(path).isFile()) return 'something else is in its place'
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'it is gone'
    return code === 'EACCES' ? 'there is no permission' : systemReason(error)
  }
}

async function whySilent({ link }: HolderWorld, processes: Processes, card: HolderCard): Promise<Sight> {
  const holder = await holderOf(card, processes)
  if (holder === null) return gone('its holder is gone')
  const program = await processes.find(card.pid)
  const rest = program?.start === card.pidStart ? 'its program keeps running' : 'its program has ended'
  if (holder.isStopped) return silent(`its holder is stopped; ${rest}`)
  const how = link()
  switch (how?.kind) {
    case 'incompatible':
      return answered(`its holder speaks protocol ${how.speaks}; ${rest}`)
    case 'unreachable':
      return silent(`its holder cannot be reached (${how.why}); ${rest}`)
    case 'connected':
    case 'unattached':
    case undefined:
      return silent(`its holder does not answer; ${rest}`)
  }
  return assertNever(how)
}

/** A pid alone is not enough: another process may have it now. */
async function holderOf({ holderPid, holderStart }: HolderCard, processes: Processes): Promise<ProcessInfo | null> {
  const found = await processes.find(holderPid)
  return found !== null && holderStart !== '' && found.start === holderStart ? found : null
}

async function recover({ holders, run }: HolderWorld, processes: Processes): Promise<void> {
  const card = holders.card(run)
  if (card === null) throw new Error('it has no holder')
  const holder = await holderOf(card, processes)
  if (holder?.isStopped === true) process.kill(holder.pid, 'SIGCONT')
  else await holders.reconnect(run)
}
