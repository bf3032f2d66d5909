/** From what was kept and who is alive to a running registry. Nothing is started and nothing living is ended here. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { makePlace, type RunId, type TerminalId } from '../base/ids.ts'
import { readCards } from '../client/holderCards.ts'
import type { KeptRecord } from '../store/store.ts'
import type { HolderCard, TmuxOrder } from '../wire/holder.ts'
import { holderCardPath, runDirectory } from '../wire/paths.ts'
import { type Action, type BootState, hasEnded, type LivingHolder, reconcile } from '../workspace/reconcile.ts'
import { repairTopology } from '../workspace/repairTopology.ts'
import type { Effect } from '../workspace/step.ts'
import { currentRun, type Spec, type SpecBackend, type Terminal } from '../workspace/terminal.ts'
import type { Daemon } from './daemon.ts'
import { isHolderAlive } from './holders.ts'
import { takenHome } from './imports/copiedHome.ts'
import { type Found, happenedTo, judgeEnds, lifeBefore, lostWith } from './lastLife.ts'
import { removeLeftovers, settleClosedRuns } from './leftovers.ts'
import { shellOf } from './program.ts'
import { fillInMissing, findTrouble, finishRecovery, planWakesAfter, type Recovery, setAside } from './recovery.ts'
import { readRunEnd } from './runLog.ts'
import { trip } from './trip.ts'

/** One holder that is stopped or swapped out must not hold up all the others; it is shown as not answering until it does. */
const ANSWER_WITHIN_MS = 1_000

export async function boot(daemon: Daemon): Promise<void> {
  const kept = await daemon.store.records()
  const recovery = await findTrouble(daemon, kept)
  const known = recovery === null ? kept : await fillInMissing(daemon, kept, recovery)
  const ids = new Set(known.map((record) => (record.ok ? record.terminal.id : record.id)))
  await daemon.closed.load()
  daemon.agents.recall()
  const isClosed = (terminal: string): boolean => daemon.closed.get(terminal as TerminalId) !== null
  settleClosedRuns(daemon.paths, { isKnown: (terminal) => ids.has(terminal), isClosed })
  const before = await lifeBefore(daemon)
  const { cards, unreadable } = readCards(daemon.paths)
  for (const why of unreadable) daemon.log.warn({ why }, 'a run directory is left alone')
  // After a reboot a process that looks like a holder of before is somebody else's.
  const alive = new Set(before.hasRebooted ? [] : cards.filter(isHolderAlive))
  const dead = cards.filter((card) => !alive.has(card))
  const living = new Set([...alive].map(({ run }) => run))
  const own = await takenHome(daemon, known, living)
  const begun = own.map((record) => asFarAsBegun(daemon, record, living))
  const left = before.hasRebooted ? [] : await survivingIn(daemon, begun, dead)
  const found = [...(await Promise.all([...alive].map((card) => linked(daemon, card)))), ...left]
  trip('boot:holders-linked')
  const judged = judgeEnds(before, {
    records: begun,
    living: found,
    ended: endedUnseen(
      daemon,
      begun,
      dead.filter(({ run }) => !left.some((survivor) => survivor.run === run)),
    ),
  })
  const { records, holders, mended } = judged
  const plan = reconcile(bootState(daemon, records, holders))
  await placeAll(daemon, terminalsOf(plan))
  for (const action of plan) carryOut(daemon, action)
  for (const terminal of mended) keepMended(daemon, terminal)
  daemon.checkpoints.isWhole = daemon.store.troubles.length === 0 && records.every(({ ok }) => ok)
  deferScreens(daemon)
  removeStaleSockets(daemon, [...alive])
  await recover(daemon, { before, judged, plan }, recovery)
  // A record that cannot be read, or is gone, may name any run.
  if (daemon.checkpoints.isWhole) removeUnused(daemon, terminalsOf(plan))
  await daemon.forgetting.resume()
}

/** What was running is asked about, but for what the policy wakes by itself. */
async function recover(daemon: Daemon, found: Found, recovery: Recovery | null): Promise<void> {
  const lost = lostWith(daemon, found)
  const session = recovery?.session ?? (found.judged.wasShutDown ? found.before.session : null)
  const wakes = session === null ? { wakes: [], notWoken: [] } : await planWakesAfter(daemon, session.createdAt)
  const woken = new Set(wakes.wakes.map(({ id }) => id))
  await daemon.lost.ask({ at: Date.now(), happened: happenedTo(found), terminals: lost.filter((id) => !woken.has(id)) })
  if (session === null) return
  const newest = recovery?.newest ?? (await daemon.store.newestGoodCheckpoint())
  finishRecovery(daemon, found, { session: recovery?.session ?? null, newest, wakes }).catch((error: Error) =>
    daemon.log.error({ error: error.stack }, 'the recovery is not written down'),
  )
}

function keepMended(daemon: Daemon, terminal: Terminal): void {
  const effects: readonly Effect[] = [{ kind: 'keep' }, { kind: 'announce' }]
  daemon.registry.carryOut(terminal.id, { terminal, effects }).catch(() => undefined) // logged and tried again by the registry
}

function removeUnused(daemon: Daemon, terminals: readonly Terminal[]): void {
  const all = [...terminals, ...daemon.closed.all().map(({ terminal }) => terminal)]
  removeLeftovers(daemon.paths, { terminals: all, now: Date.now() })
  const isGiven = (terminal: Terminal): boolean => !terminal.private || terminal.state !== 'asleep' // else a power cut has left them
  const known = new Set<string>(all.filter(isGiven).map(({ id }) => id))
  daemon.files
    .removeLeftovers((id) => known.has(id))
    .catch((error: Error) => daemon.log.warn({ error: error.message }, 'files that nobody needs could not be removed'))
}

/**
 * What a wake that a crash interrupted left to show: nothing of its own where its holder never began, and then what was
 * shown before; its own output where the program was started, even if no daemon lived to write that down. One that was to
 * be resumed and has ended is judged by its end: had it failed, what was shown before comes back.
 */
function asFarAsBegun(daemon: Daemon, record: KeptRecord, living: ReadonlySet<RunId>): KeptRecord {
  if (!record.ok || record.terminal.state !== 'waking' || living.has(record.terminal.run)) return record
  const { terminal } = record
  const directory = runDirectory(daemon.paths, terminal.run)
  if (!existsSync(directory)) return { ok: true, terminal: { ...terminal, lastRun: terminal.previousRun } }
  if (!existsSync(holderCardPath(directory))) return record
  const hasEnded = terminal.mode === 'resume' && readRunEnd({ directory, run: terminal.run }) !== null
  return hasEnded ? record : { ok: true, terminal: { ...terminal, previousRun: null } }
}

/** A holder that a dying daemon had just started may show itself after the next one has looked. */
const LOOK_AGAIN_MS = [1_000, 3_000, 10_000]

export function watchForStrays(daemon: Daemon): () => void {
  const timers = LOOK_AGAIN_MS.map((ms) =>
    setTimeout(
      () => void adoptStrays(daemon).catch((error: Error) => daemon.log.error({ error: error.stack }, 'looking for holders failed')),
      ms,
    ),
  )
  return () => {
    for (const timer of timers) clearTimeout(timer)
  }
}

async function adoptStrays(daemon: Daemon): Promise<void> {
  const unknown = readCards(daemon.paths).cards.filter(
    ({ run }) => daemon.holders.card(run) === null && daemon.registry.byRun(run) === null && !isOver(daemon, run),
  )
  const holders = await Promise.all(unknown.filter(isHolderAlive).map((card) => linked(daemon, card)))
  if (holders.length === 0) return
  const known = holders.flatMap(({ terminal }) => daemon.registry.get(terminal) ?? [])
  const records = [...new Set(known)].map((terminal) => ({ ok: true, terminal }) as const)
  const plan = reconcile(bootState(daemon, records, holders))
  await placeAll(daemon, [...daemon.registry.all(), ...terminalsOf(plan.filter((action) => 'holder' in action))])
  // The other actions are about records whose own holders were not asked this time.
  for (const action of plan) if ('holder' in action) carryOut(daemon, action)
  deferScreens(daemon)
}

/** A program that has ended was let go: its holder, which is about to end too, is no stray. */
const isOver = (daemon: Daemon, run: RunId): boolean =>
  daemon.registry.all().some((terminal) => terminal.state === 'asleep' && terminal.because.kind !== 'slept' && hasEnded(terminal, run))

async function linked(daemon: Daemon, card: HolderCard): Promise<LivingHolder> {
  const link = await daemon.holders.adopt(card, { withinMs: ANSWER_WITHIN_MS })
  const status = daemon.holders.status(card.run)
  const exited = status?.exit ?? null
  const exitedAt = exited === null ? undefined : runEndOf(daemon, card)?.at
  return { ...holderOf(card), exited, exitedAt, link, spec: specOf(card, status?.size) }
}

/**
 * Programs in tmux that have outlived their holders. None of them gets one before somebody wants something of it; but how one
 * has ended, only a holder can tell. What cannot be seen now is neither lost nor ended.
 */
async function survivingIn(daemon: Daemon, records: readonly KeptRecord[], dead: readonly HolderCard[]): Promise<LivingHolder[]> {
  const current = new Set(records.flatMap((record) => (record.ok ? [currentRun(record.terminal)] : [])))
  const survivors = (await daemon.backends.survivors(dead)).filter(({ card, state }) => state !== 'unknown' || current.has(card.run))
  return survivors.map(({ card, state }) => {
    const link = state === 'unknown' ? daemon.holders.adoptUnseen(card, 'tmux does not answer') : daemon.holders.adoptUnattached(card)
    if (state === 'ended') void daemon.holders.ensure(card.run)
    return { ...holderOf(card), exited: null, link, spec: specOf(card) }
  })
}

/** The program and its holder ended while there was no daemon; the log says how. */
function endedUnseen(daemon: Daemon, records: readonly KeptRecord[], dead: readonly HolderCard[]): LivingHolder[] {
  const current = new Set(records.flatMap((record) => (record.ok ? [currentRun(record.terminal)] : [])))
  return dead.flatMap((card) => {
    if (!current.has(card.run)) return []
    const end = runEndOf(daemon, card)
    if (end === null) return []
    const link = { kind: 'unreachable', why: 'it has ended' } as const
    return [{ ...holderOf(card), exited: end.status, exitedAt: end.at, link, spec: specOf(card) }]
  })
}

const runEndOf = (daemon: Daemon, { run }: HolderCard) => readRunEnd({ directory: runDirectory(daemon.paths, run), run })

function bootState(daemon: Daemon, records: readonly KeptRecord[], holders: readonly LivingHolder[]): BootState {
  const { settleMs: graceMs } = daemon.config
  return { records, holders, now: Date.now(), graceMs, fallbackSpec: fallbackSpec(daemon), makeId: () => daemon.makeTerminalId() }
}

const terminalsOf = (plan: readonly Action[]): Terminal[] =>
  plan.flatMap((action) => ('terminal' in action && action.terminal !== null ? [action.terminal] : []))

const holderOf = ({ terminal, run, pid, holderPid, startedAt, journal }: HolderCard) => ({
  ...{ terminal, run, pid, holderPid, startedAt },
  ...(journal === false ? ({ private: true } as const) : {}),
})
const specOf = ({ command, args, withheld = 0, cwd, size, pid, tmux }: HolderCard, sizeNow = size): Spec => ({
  ...{ command, args, cwd, env: {}, size: sizeNow },
  ...(withheld === 0 ? {} : { withheld: { args: withheld, env: 0 } }),
  ...(tmux === undefined ? {} : { backend: backendOf(tmux, pid) }),
})

/** Of a guest whose record is lost the session's name is, too; its pane is what counts. */
const backendOf = (tmux: TmuxOrder, pid: number): SpecBackend =>
  tmux.kind === 'guest' ? { kind: 'guest', socket: tmux.socket, pane: tmux.pane, pid, session: '' } : { kind: 'tmux' }

function fallbackSpec(daemon: Daemon): Spec {
  return { command: shellOf(daemon.config, {}), args: [], cwd: homedir(), env: {}, size: daemon.config.size }
}

/** Everybody gets a place; who has one keeps it. */
export async function placeAll(daemon: Daemon, terminals: readonly Terminal[]): Promise<void> {
  const spare = makePlace(randomBytes)
  const repaired = repairTopology(daemon.topology, { terminals: terminals.map(({ id }): TerminalId => id), spare })
  // Whoever is told the ids of a first layout may use them with the next daemon.
  if (repaired === daemon.topology && daemon.isLayoutKept) return
  try {
    await daemon.setTopology(repaired)
  } catch (error) {
    daemon.bootTroubles.push(`the layout cannot be kept: ${(error as Error).message}`)
  }
}

function carryOut(daemon: Daemon, action: Action): void {
  const id = action.kind === 'takeExit' || action.kind === 'finishClose' ? action.id : action.terminal.id
  const terminal = action.kind === 'finishClose' ? null : action.terminal
  daemon.log.info({ terminal: id, action: action.kind }, 'boot')
  if ((action.kind === 'adoptOrphan' || action.kind === 'salvage') && action.record !== null) setAside(daemon, { ...action.record, id })
  daemon.registry.carryOut(id, { terminal, effects: action.effects }).catch(() => undefined) // logged and tried again by the registry
  if (terminal === null || terminal.state === 'asleep') return
  const { run } = terminal
  // A holder that went down between the first look and now has nobody left to report it.
  if (daemon.holders.card(run) === null) daemon.react(id, { kind: 'holderLost', run })
  daemon.learnSize(run)
}

/** Nobody has asked for anything yet: a screen is opened when it is needed. What is in tmux without a holder prints to nobody. */
const deferScreens = (daemon: Daemon): void =>
  daemon.deferred.found(
    daemon.registry.all().flatMap((terminal) => (terminal.state === 'asleep' || isUnattached(terminal) ? [] : [terminal.run])),
  )

const isUnattached = (terminal: Terminal): boolean => terminal.state === 'live' && terminal.link.kind === 'unattached'

/** Sockets of holders that are no more; the directory is ours alone. */
function removeStaleSockets(daemon: Daemon, alive: readonly HolderCard[]): void {
  const used = new Set([daemon.paths.daemonSocket, ...alive.map(({ socketPath }) => socketPath)])
  for (const name of readdirSync(daemon.paths.sockets)) {
    const path = `${daemon.paths.sockets}/${name}`
    if (/^r[0-9a-z]{10}\.sock$/.test(name) && !used.has(path)) rmSync(path, { force: true })
  }
}
