/** One look at one terminal: who has its keyboard, whether that is an agent, and with which conversation. */
import type { ProcessSight } from '../../agents/agent.ts'
import { agentOfProcess, type Recognised, recognise } from '../../agents/recognise.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Live } from '../../workspace/terminal/terminal.ts'
import { arrive } from './arrival.ts'
import { bind } from './bind.ts'
import type { Claims } from './claims.ts'
import { namesOf } from './gone.ts'
import { agentLeft } from './leaving.ts'
import { processLook } from './nodeLook.ts'
import { type Keyboard, type ProcessName, type Sight, selvesOf } from './processLook.ts'
import { readState } from './states.ts'
import { CLOSE_AT_LEAST_EVERY, isSameKeyboard, isSameProcess, type SeenAgent, type Span, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

/** Machines that shut down end agents before shells: by then the daemon is gone too, and nobody has left anything. */
const LEFT_AFTER_MS = 3_000

const MOST_INSIDE = 100

export type Looking = {
  readonly daemon: AgentWorld
  readonly claims: Claims
  readonly watched: Watched
  readonly sight: Sight
  /** Somebody wants to know it now: everything is looked at, and what is seen counts at once. */
  readonly isAsked: boolean
}

export async function lookAt(looking: Looking): Promise<void> {
  const { daemon, watched, sight, isAsked } = looking
  const terminal = daemon.registry.byRun(watched.run)
  const card = daemon.holders.card(watched.run)
  if (terminal?.state !== 'live' || card === null) return
  const root = rootOf(card)
  const keyboard = sight.keyboardOf(root)
  if (keyboard === null) return // nothing could be seen, which says nothing
  const isSame = isSameKeyboard(watched.keyboard, keyboard)
  watched.keyboard = keyboard
  if (!isSame) foregroundSeen(daemon, terminal, keyboard)
  const isClose =
    isAsked || !isSame || watched.closeLooks > 0 || watched.goneSince !== null || watched.fleetingLooks >= CLOSE_AT_LEAST_EVERY
  watched.closeLooks = Math.max(0, watched.closeLooks - 1)
  watched.fleetingLooks += 1
  if (!isClose && isStillThere(watched.agent, sight)) return
  watched.fleetingLooks = 0
  await lookClosely(looking, { terminal, root, keyboard })
  watched.lookedAt = Date.now()
  await daemon.checkpoints.lookAt(terminal)
}

const rootOf = ({ pid, pidStart }: HolderCard): ProcessName => ({ pid, start: pidStart })

const isStillThere = (seen: SeenAgent | null, sight: Sight): boolean => seen === null || sight.isThere(seen.process.process)

function foregroundSeen(daemon: AgentWorld, { id, run }: Live, { leader: { pid, name } }: Keyboard): void {
  daemon.react(id, { kind: 'foregroundSeen', run, foreground: { pid, name } })
}

type Place = { readonly terminal: Live; readonly root: ProcessName; readonly keyboard: Keyboard }

async function lookClosely(looking: Looking, place: Place): Promise<void> {
  const { watched, sight } = looking
  const { root, keyboard } = place
  const { agents } = looking.daemon.config
  const processes = await sight.processesOf(root, keyboard.group)
  const found = recognise(processes, keyboard.group, root.pid, agents)
  if (found !== null) {
    watched.goneSince = null
    return await agentInFront(looking, place, { ...found, processes })
  }
  inFront(looking, watched.agent, false)
  const known = watched.agent?.agent.id ?? place.terminal.agent
  if (known === null) return
  const isBehind = processes.some((process) => agentOfProcess(process, agents)?.id === known)
  if (isBehind || isAnyThere(watched.agent, sight) || keyboard.leader.pid !== root.pid) watched.goneSince = null
  else await gone(looking, place.terminal, known)
}

async function gone({ daemon, claims, watched, sight, isAsked }: Looking, terminal: Live, agent: string): Promise<void> {
  const now = Date.now()
  watched.goneSince ??= now
  if (!isAsked && now - watched.goneSince < LEFT_AFTER_MS) return
  watched.goneSince = null
  await agentLeft({ daemon, claims, watched, sight }, terminal, agent)
  claims.agentEnded(watched, now)
  watched.agent = null
}

function inFront({ daemon, watched }: Pick<Looking, 'daemon' | 'watched'>, seen: SeenAgent | null, isInFront: boolean): void {
  if (seen === null || seen.isInFront === isInFront) return
  seen.isInFront = isInFront
  daemon.audience.announceTerminal(watched.terminal)
}

const isAnyThere = (seen: SeenAgent | null, sight: Sight): boolean => seen?.own.some((process) => sight.isThere(process)) ?? false

async function agentInFront({ daemon, claims, watched, sight }: Looking, { terminal }: Place, found: Found): Promise<void> {
  const before = watched.agent
  const isSame = before !== null && before.agent.id === found.agent.id && isSameProcess(before.process.process, found.process)
  const seen = isSame ? before : await arrive({ daemon, watched, sight, terminal }, found)
  if (!isSame) claims.agentEnded(watched, Date.now())
  watched.agent = seen
  inFront({ daemon, watched }, seen, true)
  seen.own = await namesOf(sight, found.pids)
  seen.process = { ...seen.process, pids: found.pids, selves: selvesOf(sight, found.pids) }
  seen.inside = insideOf(seen, found, sight)
  const look = processLook(seen.process, sight)
  await bind({ daemon, claims, watched, seen }, look, Date.now())
  await readState({ daemon, watched, seen }, look)
}

type Found = Recognised & { readonly processes: readonly ProcessSight[] }

/** Agents of the same kind below the root agent that came after its conversation began: servers of its own are there before. */
function insideOf({ inside, bound }: SeenAgent, { agent, pids, processes }: Found, sight: Sight): readonly Span[] {
  const to = Date.now()
  const now = processes.flatMap((process) => {
    const from = sight.startedAt(process)
    const isOther = !pids.includes(process.pid) && agentOfProcess(process, [agent]) !== null
    return isOther && from > (bound?.began ?? to) ? [{ name: { pid: process.pid, start: process.start }, from, to }] : []
  })
  return [...inside.filter(({ name }) => !now.some((other) => isSameProcess(other.name, name))), ...now].slice(-MOST_INSIDE)
}
