/**
 * What a holder that was killed leaves behind: an agent that notices its end late, or never. Resumed beside it, one of the
 * two would lose what is said. Its end is waited for, then brought about; never that of anybody else.
 */
import { agentOfProcess } from '../../agents/recognise.ts'
import type { TerminalId } from '../../base/ids.ts'
import { readCards } from '../../client/holderCards.ts'
import { type ProcessInfo, sessionOf, systemProcesses } from '../../holder/processes.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { isHolderAlive } from '../backends/holders.ts'
import { trip } from '../base/trip.ts'
import { endAll } from './gone.ts'
import type { ProcessName, Sight } from './processLook.ts'
import { systemLook } from './systemLook.ts'
import type { StartWorld } from './world.ts'

/** Agents that lose their terminal save and leave; the slowest measured takes two seconds. */
const LEAVES_WITHIN_MS = 3_000
const ENDS_WITHIN_MS = 1_000

export async function endPredecessors(daemon: StartWorld, terminal: TerminalId): Promise<void> {
  const left = await leftBehind(daemon, terminal)
  if (left.length === 0) return
  daemon.log.info({ terminal, pids: left.map(({ pid }) => pid) }, 'an agent of an earlier run is still there')
  trip('spawn:predecessor')
  const isOver = await endAll(systemProcesses(), left, { termAfterMs: LEAVES_WITHIN_MS, killAfterMs: LEAVES_WITHIN_MS + ENDS_WITHIN_MS })
  if (!isOver) daemon.log.warn({ terminal }, 'an agent of an earlier run could not be ended')
}

/** Agents that were started in this terminal, by a run whose holder is no more. */
async function leftBehind(daemon: StartWorld, terminal: TerminalId): Promise<readonly ProcessName[]> {
  const cards = readCards(daemon.paths).cards.filter((card) => card.terminal === terminal && !isHolderAlive(card))
  if (cards.length === 0) return []
  const all = await systemProcesses().list()
  const known = cards.flatMap((card) => ownSession(all, card))
  const sight = await systemLook().begin()
  const { agents } = daemon.config
  const named = await Promise.all(
    known.map(async ({ pid, start }): Promise<readonly ProcessName[]> => {
      const found = await sight.find(pid)
      const isAgent = found !== null && agentOfProcess(found, agents) !== null
      return isAgent && (await isOurs(sight, pid, terminal)) ? [{ pid, start }] : []
    }),
  )
  return named.flat()
}

/** Where a session is told by its terminal alone, only a program that is still the same one leads to it. */
function ownSession(all: readonly ProcessInfo[], { pid, pidStart }: HolderCard): readonly ProcessInfo[] {
  if (process.platform !== 'linux' && !all.some((info) => info.pid === pid && info.start === pidStart)) return []
  return sessionOf(all, pid)
}

/** Linux tells what a process was started with; elsewhere its session must do. */
async function isOurs(sight: Sight, pid: number, terminal: TerminalId): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await sight.environmentOf(pid, [OWN_TERMINAL]))?.[OWN_TERMINAL] === terminal
}

const OWN_TERMINAL = 'HOLDFAST_TERMINAL_ID'
