/** Gathers what `planBoot` decides by: records, checkpoints, holders and logs. Nothing is started and nothing living is ended here. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { makePlace, type RunId, type TerminalId } from '../../base/ids.ts'
import { readCards } from '../../client/holderCards.ts'
import type { NewestGood, Session } from '../../store/store.ts'
import type { HolderCard, TmuxOrder } from '../../wire/holder.ts'
import { holderCardPath, runDirectory } from '../../wire/paths.ts'
import type { LivingHolder } from '../../workspace/boot/found.ts'
import { type Begun, type BootFacts, knownRecords } from '../../workspace/boot/planBoot.ts'
import type { BootState } from '../../workspace/boot/reconcile.ts'
import { currentRun, type Spec, type SpecBackend } from '../../workspace/terminal/terminal.ts'
import { isHolderAlive } from '../backends/holders.ts'
import { shellOf } from '../base/programs.ts'
import { readRunEnd } from '../history/runLog.ts'
import { cameFrom, ownCheckpoint } from '../imports/copiedHome.ts'
import { lifeBefore } from './lastLife.ts'
import { settleClosedRuns } from './leftovers.ts'
import type { BootWorld } from './world.ts'

/** One holder that is stopped or swapped out must not hold up all the others; it is shown as not answering until it does. */
const ANSWER_WITHIN_MS = 1_000

/** Null when the last daemon ended as it should and everything is there. `session` ended uncleanly, and nobody has dealt with it. */
type Trouble = { readonly session: Session | null; readonly newest: NewestGood } | null

export type Gathered = BootFacts & {
  readonly before: { readonly session: Session | null }
  readonly trouble: Trouble
  /** Cards of holders whose processes are there. */
  readonly alive: readonly HolderCard[]
}

export async function gatherFacts(daemon: BootWorld): Promise<Gathered> {
  const kept = await daemon.store.records()
  const trouble = await findTrouble(
    daemon,
    kept.every(({ ok }) => ok),
  )
  const fill = trouble === null ? null : await fillOf(daemon, trouble.newest, { isReadable: kept.every(({ ok }) => ok) })
  const known = knownRecords({ kept, fill })
  await settleClosed(daemon, new Set(known.map((record) => (record.ok ? record.terminal.id : record.id))))
  const before = await lifeBefore(daemon)
  const { cards, unreadable } = readCards(daemon.paths)
  for (const why of unreadable) daemon.log.warn({ why }, 'a run directory is left alone')
  // After a reboot a process that looks like a holder of before is another one.
  const alive = before.hasRebooted ? [] : cards.filter(isHolderAlive)
  const dead = cards.filter((card) => !alive.includes(card))
  const living = new Set(alive.map(({ run }) => run))
  const current = new Set(known.flatMap((record) => (record.ok ? (currentRun(record.terminal) ?? []) : [])))
  const left = before.hasRebooted ? [] : await survivingIn(daemon, current, dead)
  const linking = await Promise.all(alive.map((card) => linked(daemon, card)))
  const gone = dead.filter(({ run }) => current.has(run) && !left.some((survivor) => survivor.run === run))
  const begun = known.flatMap((record) =>
    record.ok && record.terminal.state === 'waking' && !living.has(record.terminal.run)
      ? [[record.terminal.run, begunOf(daemon, record.terminal.run)] as const]
      : [],
  )
  return {
    ...bootState(daemon),
    ...{ kept, fill, elsewhere: await cameFrom(daemon), topology: daemon.topology, before, trouble, alive },
    living: [...linking, ...left],
    ended: gone.flatMap((card) => endedUnseen(daemon, card)),
    begun: new Map(begun),
  }
}

async function findTrouble(daemon: BootWorld, isReadable: boolean): Promise<Trouble> {
  const session = await daemon.store.lastUncleanSession()
  const newest = await daemon.store.newestGoodCheckpoint()
  daemon.checkpoints.seen.remember(newest.checkpoint?.terminals ?? [])
  if (session === null && daemon.isLayoutKept && isReadable && !newest.isDatabaseBehind) return null
  for (const { id, why } of newest.damaged) daemon.bootTroubles.push(`Checkpoint ${id} cannot be used: ${why}.`)
  // A snapshot that is found missing or damaged later is replaced by the checkpoint's of the same run; the log goes on from it.
  for (const { terminal, screen } of newest.checkpoint?.terminals ?? [])
    if (screen !== null) daemon.runScreens.older.set(screen.run, { checkpoint: newest.checkpoint?.id ?? '', terminal: terminal.id })
  return { session, newest }
}

type Readable = { readonly isReadable: boolean }

async function fillOf(daemon: BootWorld, newest: NewestGood, { isReadable }: Readable): Promise<BootFacts['fill']> {
  const { checkpoint, isDatabaseBehind: isNewer } = newest
  if (checkpoint === null || (!isNewer && daemon.isLayoutKept && isReadable)) return null
  const topology = daemon.isLayoutKept && !isNewer ? daemon.topology : null
  const host = { id: daemon.checkpoints.host, isSame: true }
  const spare = makePlace(randomBytes)
  return { checkpoint: await ownCheckpoint(daemon, checkpoint), topology, isNewer, now: Date.now(), spare, host }
}

async function settleClosed(daemon: BootWorld, known: ReadonlySet<string>): Promise<void> {
  await daemon.closed.load()
  daemon.agents.recall()
  const isClosed = (terminal: string): boolean => daemon.closed.get(terminal as TerminalId) !== null
  settleClosedRuns(daemon.paths, { isKnown: (terminal) => known.has(terminal), isClosed })
}

export function bootState(daemon: BootWorld): Omit<BootState, 'records' | 'holders'> {
  const { config } = daemon
  const fallbackSpec: Spec = { command: shellOf(config, {}), args: [], cwd: homedir(), env: {}, size: config.size }
  return { now: Date.now(), graceMs: config.settleMs, fallbackSpec, makeId: () => daemon.makeTerminalId() }
}

export async function linked(daemon: BootWorld, card: HolderCard): Promise<LivingHolder> {
  const link = await daemon.holders.adopt(card, { withinMs: ANSWER_WITHIN_MS })
  const status = daemon.holders.status(card.run)
  const exited = status?.exit ?? null
  const exitedAt = exited === null ? undefined : runEndOf(daemon, card.run)?.at
  return { ...holderOf(card), exited, exitedAt, link, spec: specOf(card, status?.size) }
}

/**
 * Programs in tmux that have outlived their holders. None of them gets one before a client wants something of it; but how one
 * has ended, only a holder can tell. What cannot be seen now is neither lost nor ended.
 */
async function survivingIn(daemon: BootWorld, current: ReadonlySet<RunId>, dead: readonly HolderCard[]): Promise<LivingHolder[]> {
  const survivors = (await daemon.backends.survivors(dead)).filter(({ card, state }) => state !== 'unknown' || current.has(card.run))
  return survivors.map(({ card, state }) => {
    const link = state === 'unknown' ? daemon.holders.adoptUnseen(card, 'tmux does not answer') : daemon.holders.adoptUnattached(card)
    if (state === 'ended') void daemon.holders.ensure(card.run)
    return { ...holderOf(card), exited: null, link, spec: specOf(card) }
  })
}

/** The program and its holder ended while there was no daemon; the log says how. */
function endedUnseen(daemon: BootWorld, card: HolderCard): readonly LivingHolder[] {
  const end = runEndOf(daemon, card.run)
  const link = { kind: 'unreachable', why: 'it has ended' } as const
  return end === null ? [] : [{ ...holderOf(card), exited: end.status, exitedAt: end.at, link, spec: specOf(card) }]
}

function begunOf(daemon: BootWorld, run: RunId): Begun {
  const directory = runDirectory(daemon.paths, run)
  if (!existsSync(directory)) return 'nothing'
  if (!existsSync(holderCardPath(directory))) return 'prepared'
  return runEndOf(daemon, run) === null ? 'started' : 'ended'
}

const runEndOf = (daemon: BootWorld, run: RunId) => readRunEnd({ directory: runDirectory(daemon.paths, run), run })

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
