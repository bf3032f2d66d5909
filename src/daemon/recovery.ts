/**
 * After a daemon that did not end as it should: what the database no longer tells is taken from the newest good
 * checkpoint, every decision is written down, and what the user's policy names is woken, one after another.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { makePlace, type TerminalId } from '../base/ids.ts'
import type { KeptRecord, NewestGood, Session } from '../store/store.ts'
import { type FilledIn, fillIn } from '../workspace/fillIn.ts'
import { planWakes, type Wake, type WakeCandidate, type Wakes } from '../workspace/planRestoreWakes.ts'
import type { Action } from '../workspace/reconcile.ts'
import type { Asleep, Terminal, WakeMode } from '../workspace/terminal.ts'
import { checkedStart, reasonOf } from './agents/resumeCheck.ts'
import type { Daemon } from './daemon.ts'
import { ownCheckpoint } from './imports/copiedHome.ts'
import type { Found } from './lastLife.ts'
import { ownEnvironment } from './program.ts'
import { trip } from './trip.ts'

/** `session` ended uncleanly and nobody has dealt with it; null after an orderly end, even if something is missing. */
export type Recovery = { readonly session: Session | null; readonly newest: NewestGood }

/** Null when the last daemon ended as it should and everything is there. */
export async function findTrouble(daemon: Daemon, records: readonly KeptRecord[]): Promise<Recovery | null> {
  const session = await daemon.store.lastUncleanSession()
  const isWhole = daemon.isLayoutKept && records.every(({ ok }) => ok)
  const newest = await daemon.store.newestGoodCheckpoint()
  daemon.checkpoints.seen.remember(newest.checkpoint?.terminals ?? [])
  if (session === null && isWhole && !newest.isDatabaseBehind) return null
  for (const { id, why } of newest.damaged) daemon.bootTroubles.push(`Checkpoint ${id} cannot be used: ${why}.`)
  rememberScreens(daemon, newest)
  return { session, newest }
}

/** A snapshot that is found missing or damaged later is replaced by the checkpoint's of the same run; the log goes on from it. */
function rememberScreens(daemon: Daemon, { checkpoint }: NewestGood): void {
  if (checkpoint === null) return
  for (const { terminal, screen } of checkpoint.terminals)
    if (screen !== null) daemon.olderScreens.set(screen.run, { checkpoint: checkpoint.id, terminal: terminal.id })
}

/** The records with what could be had in place of those that are gone; kept, together with the layout, in one transaction. */
export async function fillInMissing(daemon: Daemon, records: readonly KeptRecord[], recovery: Recovery): Promise<readonly KeptRecord[]> {
  const { checkpoint: newest, from, isDatabaseBehind: isNewer } = recovery.newest
  if (newest === null || (!isNewer && daemon.isLayoutKept && records.every(({ ok }) => ok))) return records
  const checkpoint = await ownCheckpoint(daemon, newest)
  const spare = makePlace(randomBytes)
  const topology = daemon.isLayoutKept && !isNewer ? daemon.topology : null
  const host = { id: daemon.checkpoints.host, isSame: true }
  const filled = fillIn({ checkpoint, records, topology, isNewer, now: Date.now(), spare, host })
  for (const { instead } of filled.terminals) if (instead !== null) setAside(daemon, instead)
  daemon.topology = filled.topology
  tell(daemon, filled, { id: checkpoint.id, at: checkpoint.at, isLayoutGone: topology === null, isNewer })
  const session = daemon.checkpoints.session
  const audit = [
    { session, terminal: null, what: 'fill in', details: { checkpoint: checkpoint.id, from, layout: topology === null } },
    ...filled.terminals.map(({ terminal: { id }, instead }) => ({
      session,
      terminal: id,
      what: 'fill in',
      details: {
        checkpoint: checkpoint.id,
        why: instead === null ? 'its record is gone' : `its record could not be decoded: ${instead.why}`,
      },
    })),
  ]
  trip('recover:before-keep')
  const terminals = filled.terminals.map(({ terminal }) => terminal)
  await daemon.store
    .keepRestored({ terminals, forgotten: [], topology: filled.topology, screens: [], audit })
    .catch((error: Error) => daemon.bootTroubles.push(`What was taken from checkpoint ${checkpoint.id} cannot be kept: ${error.message}.`))
  trip('recover:after-keep')
  return filled.records
}

function tell(daemon: Daemon, { terminals }: FilledIn, from: { id: string; at: number; isLayoutGone: boolean; isNewer: boolean }): void {
  if (terminals.length === 0 && !from.isLayoutGone) return
  const what = [...(from.isLayoutGone ? ['the layout'] : []), ...(terminals.length === 0 ? [] : [`${terminals.length} records`])]
  const why = from.isNewer ? 'The database has lost its newest writes' : 'Something is missing in the database'
  daemon.bootTroubles.push(`${why}: ${what.join(' and ')} came from checkpoint ${from.id} of ${new Date(from.at).toISOString()}.`)
}

/** The record is about to be replaced by what could be saved of it; its text stays, for whoever can read it. */
export function setAside(daemon: Daemon, { id, raw, why }: { readonly id: string; readonly raw: string; readonly why: string }): void {
  const file = `${daemon.paths.home}/undecodable-${id}-${Date.now()}.json`
  daemon.bootTroubles.push(`The record of ${id} could not be decoded (${why}); its text is in ${file}.`)
  try {
    writeFileSync(file, raw, { mode: 0o600 })
  } catch (error) {
    daemon.log.error({ terminal: id, raw, error: (error as Error).message }, 'an undecodable record could not be set aside')
  }
}

/** What the boot decided about each terminal, and that the crash is dealt with: it is not told again. */
export async function finishRecovery(daemon: Daemon, found: Found, { session, newest, wakes }: Finished): Promise<void> {
  const note = (terminal: TerminalId | null, what: string, details: unknown) =>
    daemon.store.appendAudit({ session: daemon.checkpoints.session, terminal, what, details })
  const { checkpoint, from } = newest
  const { session: before, hasRebooted } = found.before
  await Promise.all([
    note(null, 'recover', { after: before?.id, host: before?.host.name, hasRebooted, checkpoint: checkpoint?.id ?? null, from }),
    ...found.plan.filter(({ kind }) => kind !== 'leave').map((action) => note(idOf(action), action.kind, {})),
    ...found.judged.mended.map(({ id }) => note(id, 'markLost', { why: 'it ended with the machine' })),
    ...wakes.wakes.map(({ id, mode, afterMs, why }) => note(id, 'wake', { mode, afterMs, why })),
    ...wakes.notWoken.map(({ id, why }) => note(id, 'not woken', { why })),
  ])
  trip('recover:before-mark')
  for (let next: Session | null = session; next !== null; next = await daemon.store.lastUncleanSession())
    await daemon.store.markRecovered(next.id)
  wakeInTurn(daemon, wakes.wakes)
}

type Finished = Recovery & { readonly wakes: Wakes }

const idOf = (action: Action): TerminalId => ('id' in action ? action.id : action.terminal.id)

/** Only what the crash, or one on the way out of it, has cost its program: never what had ended or was put to sleep. */
export async function planWakesAfter(daemon: Daemon, since: number): Promise<Wakes> {
  const { policy: wake, staggerMs, most: cap } = daemon.config.restore
  const lost = daemon.inDockOrder().filter((terminal): terminal is Asleep => isLostSince(terminal, since))
  const overrides = Object.fromEntries(lost.flatMap(({ id, onRestore }) => (onRestore === 'policy' ? [] : [[id, onRestore]])))
  const candidates = lost.map((terminal) => candidateOf(terminal, { isCwdMissing: !existsSync(terminal.spec.cwd) }))
  return planWakes(candidates, { policy: { wake, staggerMs, cap, overrides }, focused: await daemon.focus.last() })
}

/** Those that somebody wants to be woken: all of them. What stands in the way of one is told by its own terminal. */
export async function planWakesOf(daemon: Daemon, ids: readonly string[], mode: WakeMode): Promise<readonly Wake[]> {
  const { staggerMs } = daemon.config.restore
  const chosen = daemon.inDockOrder().filter(({ id }) => ids.includes(id))
  const overrides = Object.fromEntries(chosen.map(({ id }) => [id, 'wake'] as const))
  const policy = { wake: 'manual', staggerMs, cap: chosen.length, overrides } as const
  const candidates = chosen.map((terminal) => candidateOf(terminal, { isCwdMissing: false }))
  return planWakes(candidates, { policy, focused: await daemon.focus.last() }).wakes.map((wake) => ({ ...wake, mode }))
}

const candidateOf = (terminal: Terminal, { isCwdMissing }: Pick<WakeCandidate, 'isCwdMissing'>): WakeCandidate => ({
  entry: { terminal, cwd: null, agent: null, env: {}, screen: null },
  isCwdMissing,
})

const isLostSince = (terminal: Terminal, since: number): boolean =>
  terminal.state === 'asleep' && terminal.because.kind === 'lost' && terminal.since >= since

/** Somebody may have woken or closed one meanwhile; then there is nothing to do about it. */
export function wakeInTurn(daemon: Daemon, wakes: readonly Wake[]): void {
  const timers = wakes.map(({ id, mode, afterMs }) => setTimeout(() => void wake(daemon, id, mode), afterMs))
  const others = daemon.cancelWakes
  daemon.cancelWakes = () => {
    others()
    for (const timer of timers) clearTimeout(timer)
  }
}

async function wake(daemon: Daemon, id: TerminalId, mode: WakeMode): Promise<void> {
  const terminal = daemon.registry.get(id)
  if (terminal?.state !== 'asleep' || daemon.wakePhases.isChecking(id)) return
  await daemon.wakePhases.checking(id, async () => {
    const checked = await checkedStart(daemon, terminal, { mode, inherited: ownEnvironment() })
    if (!checked.ok) {
      daemon.log.warn({ terminal: id, why: checked.refusal.message }, 'it cannot be woken')
      return daemon.react(id, { kind: 'wakeRefused', reason: reasonOf(checked.refusal) })
    }
    const size = daemon.sizes.wanted(id)
    if (size !== null) daemon.react(id, { kind: 'resized', size })
    trip('recovery:before-wake')
    daemon.react(id, { kind: 'wakeAsked', run: daemon.makeRunId(), mode })
  })
}
