/**
 * After a daemon that did not end as it should: what the database no longer tells is taken from the newest good
 * checkpoint, every decision is written down, and what the user's policy names is woken, one after another.
 */
import { existsSync, writeFileSync } from 'node:fs'
import type { TerminalId } from '../../base/ids.ts'
import type { NewestGood, Session } from '../../store/store.ts'
import type { FilledIn } from '../../workspace/boot/fillIn.ts'
import type { BootPlan } from '../../workspace/boot/planBoot.ts'
import type { Action } from '../../workspace/boot/reconcile.ts'
import { planWakes, type Wake, type WakeCandidate, type Wakes } from '../../workspace/checkpoint/planRestoreWakes.ts'
import type { Asleep, Terminal, WakeMode } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import type { Gathered } from './bootFacts.ts'
import type { BootWorld } from './world.ts'

/** What decides about wakes after a crash. */
type WakeWorld = Pick<BootWorld, 'config' | 'focus' | 'layout'>

/** What could be had in place of records that are gone, and the layout, in one transaction. */
export async function keepFilled(daemon: BootWorld, filled: FilledIn, { fill, trouble }: Gathered): Promise<void> {
  if (fill === null || trouble === null) return
  const { checkpoint, isNewer } = fill
  const isLayoutGone = fill.topology === null
  for (const { instead } of filled.terminals) if (instead !== null) setAside(daemon, instead)
  daemon.layout.current = filled.topology
  tell(daemon, filled, { id: checkpoint.id, at: checkpoint.at, isLayoutGone, isNewer })
  const note = (terminal: TerminalId | null, details: unknown) => ({
    ...{ session: daemon.checkpoints.session, terminal, what: 'fill in' },
    details,
  })
  const audit = [
    note(null, { checkpoint: checkpoint.id, from: trouble.newest.from, layout: isLayoutGone }),
    ...filled.terminals.map(({ terminal: { id }, instead }) =>
      note(id, {
        checkpoint: checkpoint.id,
        why: instead === null ? 'its record is gone' : `its record could not be decoded: ${instead.why}`,
      }),
    ),
  ]
  trip('recover:before-keep')
  const terminals = filled.terminals.map(({ terminal }) => terminal)
  await daemon.store
    .keepRestored({ terminals, forgotten: [], topology: filled.topology, screens: [], audit })
    .catch((error: Error) => daemon.bootTroubles.push(`cannot save what was restored from checkpoint ${checkpoint.id}: ${error.message}.`))
  trip('recover:after-keep')
}

function tell(daemon: BootWorld, { terminals }: FilledIn, from: { id: string; at: number; isLayoutGone: boolean; isNewer: boolean }): void {
  if (terminals.length === 0 && !from.isLayoutGone) return
  const what = [...(from.isLayoutGone ? ['the layout'] : []), ...(terminals.length === 0 ? [] : [`${terminals.length} records`])]
  const why = from.isNewer ? 'The database has lost its newest writes' : 'Something is missing in the database'
  daemon.bootTroubles.push(`${why}: ${what.join(' and ')} came from checkpoint ${from.id} of ${new Date(from.at).toISOString()}.`)
}

/** The record is about to be replaced by what could be saved of it; its text stays, for whoever can read it. */
export function setAside(daemon: BootWorld, { id, raw, why }: { readonly id: string; readonly raw: string; readonly why: string }): void {
  const file = `${daemon.paths.home}/undecodable-${id}-${Date.now()}.json`
  daemon.bootTroubles.push(`The record of ${id} could not be decoded (${why}); its text was saved to ${file}.`)
  try {
    writeFileSync(file, raw, { mode: 0o600 })
  } catch (error) {
    daemon.log.error({ terminal: id, raw, error: (error as Error).message }, 'an undecodable record could not be set aside')
  }
}

/** What was running is asked about, but for what the policy wakes by itself. */
export async function recover(daemon: BootWorld, { before, trouble }: Gathered, plan: BootPlan): Promise<void> {
  const session = trouble?.session ?? (plan.happened === 'shutdown' ? before.session : null)
  const wakes = session === null ? { wakes: [], notWoken: [] } : await planWakesAfter(daemon, session.createdAt)
  const woken = new Set(wakes.wakes.map(({ id }) => id))
  const terminals = daemon.layout.inDockOrder().flatMap(({ id }) => (plan.lost.has(id) && !woken.has(id) ? [id] : []))
  await daemon.lost.ask({ at: Date.now(), happened: plan.happened, terminals })
  if (session === null) return
  const newest = trouble?.newest ?? (await daemon.store.newestGoodCheckpoint())
  finish(daemon, { before, plan, newest, wakes, session: trouble?.session ?? null }).catch((error: Error) =>
    daemon.log.error({ error: error.stack }, 'the recovery is not written down'),
  )
}

type Finished = Pick<Gathered, 'before'> & {
  readonly plan: BootPlan
  readonly newest: NewestGood
  readonly wakes: Wakes
  /** Ended uncleanly; null where an orderly end only has to be told. */
  readonly session: Session | null
}

/** What the boot decided about each terminal, and that the crash is dealt with: it is not told again. */
async function finish(daemon: BootWorld, { before, plan, newest, wakes, session }: Finished): Promise<void> {
  const note = (terminal: TerminalId | null, what: string, details: unknown) =>
    daemon.store.appendAudit({ session: daemon.checkpoints.session, terminal, what, details })
  const { checkpoint, from } = newest
  const { session: last, hasRebooted } = before
  const whyOf = (id: TerminalId) => (plan.mended.has(id) ? { why: 'it ended with the machine' } : {})
  await Promise.all([
    note(null, 'recover', { after: last?.id, host: last?.host.name, hasRebooted, checkpoint: checkpoint?.id ?? null, from }),
    ...plan.actions.filter(({ kind }) => kind !== 'leave').map((action) => note(idOf(action), action.kind, whyOf(idOf(action)))),
    ...wakes.wakes.map(({ id, mode, afterMs, why }) => note(id, 'wake', { mode, afterMs, why })),
    ...wakes.notWoken.map(({ id, why }) => note(id, 'not woken', { why })),
  ])
  trip('recover:before-mark')
  for (let next = session; next !== null; next = await daemon.store.lastUncleanSession()) await daemon.store.markRecovered(next.id)
  daemon.wakes.order(wakes.wakes)
}

const idOf = (action: Action): TerminalId => ('id' in action ? action.id : action.terminal.id)

/** Only what the crash, or one on the way out of it, has cost its program: never what had ended or was put to sleep. */
export async function planWakesAfter(daemon: WakeWorld, since: number): Promise<Wakes> {
  const { policy: wake, staggerMs, most: cap } = daemon.config.restore
  const lost = daemon.layout.inDockOrder().filter((terminal): terminal is Asleep => isLostSince(terminal, since))
  const overrides = Object.fromEntries(lost.flatMap(({ id, onRestore }) => (onRestore === 'policy' ? [] : [[id, onRestore]])))
  const candidates = lost.map((terminal) => candidateOf(terminal, { isCwdMissing: !existsSync(terminal.spec.cwd) }))
  return planWakes(candidates, { policy: { wake, staggerMs, cap, overrides }, focused: await daemon.focus.last() })
}

/** Those that somebody wants to be woken: all of them. What stands in the way of one is told by its own terminal. */
export async function planWakesOf(daemon: WakeWorld, ids: readonly string[], mode: WakeMode): Promise<readonly Wake[]> {
  const { staggerMs } = daemon.config.restore
  const chosen = daemon.layout.inDockOrder().filter(({ id }) => ids.includes(id))
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
