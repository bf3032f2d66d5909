/**
 * Starting, after the composition: from what was kept and who is alive to a running registry. `bootFacts.ts` gathers the facts,
 * `workspace/boot/planBoot.ts` decides, this file carries the plan out; `recovery.ts` does what is left after a crash. `part.ts` lists
 * what starts and stops, `ending.ts` is the orderly end. May use everything of the daemon but handlers and clients.
 */
import { readdirSync, rmSync } from 'node:fs'
import { readCards } from '../../client/holderCards.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { planBoot } from '../../workspace/boot/planBoot.ts'
import { type Action, isStray, reconcile } from '../../workspace/boot/reconcile.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { isHolderAlive } from '../backends/holders.ts'
import { trip } from '../base/trip.ts'
import { keepHome } from '../imports/copiedHome.ts'
import { placeAll } from '../terminals/placeAll.ts'
import { bootState, gatherFacts, linked } from './bootFacts.ts'
import { removeLeftovers } from './leftovers.ts'
import { keepFilled, recover, setAside } from './recovery.ts'
import type { BootWorld } from './world.ts'

export async function boot(daemon: BootWorld): Promise<void> {
  const facts = await gatherFacts(daemon)
  const plan = planBoot(facts)
  if (plan.filled !== null) await keepFilled(daemon, plan.filled, facts)
  await keepHome(daemon, plan.home === null ? null : { ...plan.home, from: facts.elsewhere?.from ?? '' })
  trip('boot:holders-linked')
  const terminals = terminalsOf(plan.actions)
  await placeAll(daemon, terminals)
  for (const action of plan.actions) carryOut(daemon, action)
  daemon.checkpoints.isWhole = daemon.store.troubles.length === 0 && plan.isWhole
  deferScreens(daemon)
  removeStaleSockets(daemon, facts.alive)
  await recover(daemon, facts, plan)
  // A record that cannot be read, or is gone, may name any run.
  if (daemon.checkpoints.isWhole) removeUnused(daemon, terminals)
  await daemon.forgetting.resume()
}

/** A holder that a dying daemon had just started may show itself after the next one has looked. */
const LOOK_AGAIN_MS = [1_000, 3_000, 10_000]

export function watchForStrays(daemon: BootWorld): () => void {
  const look = (): void =>
    void adoptStrays(daemon).catch((error: Error) => daemon.log.error({ error: error.stack }, 'looking for holders failed'))
  const timers = LOOK_AGAIN_MS.map((ms) => setTimeout(look, ms))
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

async function adoptStrays(daemon: BootWorld): Promise<void> {
  const isStillStray = (holder: Pick<HolderCard, 'terminal' | 'run'>): boolean => isStray(holder, daemon.registry.get(holder.terminal))
  const unknown = readCards(daemon.paths).cards.filter((card) => daemon.holders.card(card.run) === null && isStillStray(card))
  const linking = await Promise.all(unknown.filter(isHolderAlive).map((card) => linked(daemon, card)))
  const holders = linking.filter(isStillStray) // while they were asked, the user may have woken their terminals
  for (const { run } of linking)
    if (!holders.some((holder) => holder.run === run) && daemon.registry.byRun(run) === null) daemon.holders.letGo(run)
  if (holders.length === 0) return
  const known = holders.flatMap(({ terminal }) => daemon.registry.get(terminal) ?? [])
  const records = [...new Set(known)].map((terminal) => ({ ok: true, terminal }) as const)
  const plan = reconcile({ ...bootState(daemon), records, holders })
  await placeAll(daemon, [...daemon.registry.all(), ...terminalsOf(plan.filter((action) => 'holder' in action))])
  // The other actions are about records whose own holders were not asked this time.
  for (const action of plan) if ('holder' in action && isStillStray(action.holder)) carryOut(daemon, action)
  deferScreens(daemon)
}

const terminalsOf = (plan: readonly Action[]): Terminal[] =>
  plan.flatMap((action) => ('terminal' in action && action.terminal !== null ? [action.terminal] : []))

function carryOut(daemon: BootWorld, action: Action): void {
  const id = action.kind === 'takeExit' || action.kind === 'finishClose' ? action.id : action.terminal.id
  const terminal = action.kind === 'finishClose' ? null : action.terminal
  daemon.log.info({ terminal: id, action: action.kind }, 'boot')
  if ((action.kind === 'adoptOrphan' || action.kind === 'salvage') && action.record !== null) setAside(daemon, { ...action.record, id })
  daemon.registry.carryOut(id, { terminal, effects: action.effects }).catch(() => undefined) // logged and tried again by the registry
  if (terminal === null || terminal.state === 'asleep') return
  const { run } = terminal
  // A holder that went down between the first look and now has nobody left to report it.
  if (daemon.holders.card(run) === null) daemon.react(id, { kind: 'holderLost', run })
  daemon.runs.learnSize(run)
}

/** A screen is opened when a client needs it. What is in tmux without a holder prints to nobody. */
const deferScreens = (daemon: BootWorld): void =>
  daemon.runScreens.deferred.found(
    daemon.registry.all().flatMap((terminal) => (terminal.state === 'asleep' || isUnattached(terminal) ? [] : [terminal.run])),
  )

const isUnattached = (terminal: Terminal): boolean => terminal.state === 'live' && terminal.link.kind === 'unattached'

function removeUnused(daemon: BootWorld, terminals: readonly Terminal[]): void {
  const all = [...terminals, ...daemon.closed.all().map(({ terminal }) => terminal)]
  removeLeftovers(daemon.paths, { terminals: all, now: Date.now() })
  const isGiven = (terminal: Terminal): boolean => !terminal.private || terminal.state !== 'asleep' // else a power cut has left them
  const known = new Set<string>(all.filter(isGiven).map(({ id }) => id))
  daemon.files
    .removeLeftovers((id) => known.has(id))
    .catch((error: Error) => daemon.log.warn({ error: error.message }, 'files that nobody needs could not be removed'))
}

/** Sockets of holders that are gone; the directory is ours alone. */
function removeStaleSockets(daemon: BootWorld, alive: readonly HolderCard[]): void {
  const used = new Set([daemon.paths.daemonSocket, ...alive.map(({ socketPath }) => socketPath)])
  for (const name of readdirSync(daemon.paths.sockets)) {
    const path = `${daemon.paths.sockets}/${name}`
    if (/^r[0-9a-z]{10}\.sock$/.test(name) && !used.has(path)) rmSync(path, { force: true })
  }
}
