/**
 * What a daemon does when it starts, as one pure plan. Its facts are what was kept, what a checkpoint still knows, which holders live,
 * what logs tell of those that do not, and how the daemon before ended. The order: records that are gone or cannot be read are filled in;
 * records of another machine are taken home; a wake that was interrupted counts as far as it had begun; ends that were the machine's are
 * not taken for the programs' own; `reconcile` then deals with each record and each holder.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { type Here, terminalFromElsewhere, topologyFromElsewhere } from '../checkpoint/fromElsewhere.ts'
import type { Topology } from '../layout/topology.ts'
import { currentRun, runsNamedBy, type Terminal } from '../terminal/terminal.ts'
import { type FilledIn, type FillInput, fillIn } from './fillIn.ts'
import type { KeptRecord, LivingHolder } from './found.ts'
import { type End, endedWithMachine, endToldBy, type LastLife, wasLostAtTheEnd, withoutMachineEnd } from './machineEnd.ts'
import { type Action, type BootState, reconcile } from './reconcile.ts'

export type BootFacts = Omit<BootState, 'records' | 'holders'> & {
  readonly kept: readonly KeptRecord[]
  /** Null where nothing is missing. */
  readonly fill: Omit<FillInput, 'records'> | null
  /** Null where the records are of this machine. */
  readonly elsewhere: Here | null
  readonly topology: Topology
  readonly before: LifeBefore
  /** Those that live, or lived when they were asked. */
  readonly living: readonly LivingHolder[]
  /** Those that are gone, with how their programs ended. */
  readonly ended: readonly LivingHolder[]
  /** Of runs that were to start and have no living holder. */
  readonly begun: ReadonlyMap<RunId, Begun>
}

/** The daemon before this one. `toldAt`: a signal told it to end, and perhaps everything else with it. */
export type LifeBefore = {
  readonly session: { readonly createdAt: number; readonly clean: boolean; readonly lastCheckpointAt: number | null } | null
  readonly toldAt: number | null
  readonly hasRebooted: boolean
}

/** `prepared`: its directory is there, and no holder was ready. `ended`: its log says how. */
export type Begun = 'nothing' | 'prepared' | 'started' | 'ended'

export type BootPlan = {
  /** To be kept first; null where nothing is missing. */
  readonly filled: FilledIn | null
  /** To be kept next; null where everything is of this machine. */
  readonly home: { readonly terminals: readonly Terminal[]; readonly topology: Topology } | null
  readonly actions: readonly Action[]
  /** Terminals whose records took the machine's end for their program's own. */
  readonly mended: ReadonlySet<TerminalId>
  /** Terminals that were running when it all went down. */
  readonly lost: ReadonlySet<TerminalId>
  readonly happened: 'shutdown' | 'reboot' | 'crash'
  /** Every record could be read. */
  readonly isWhole: boolean
}

/** The records with what a checkpoint has in place of those that are gone. */
export const knownRecords = ({ kept, fill }: Pick<BootFacts, 'kept' | 'fill'>): readonly KeptRecord[] =>
  fill === null ? kept : fillIn({ ...fill, records: kept }).records

export function planBoot(facts: BootFacts): BootPlan {
  const { kept, fill, elsewhere, before, living, begun } = facts
  const filled = fill === null ? null : fillIn({ ...fill, records: kept })
  const known = filled?.records ?? kept
  const own = elsewhere === null ? known : takenHome(known, elsewhere, new Set(living.map(({ run }) => run)))
  const records = own.map((record) => asFarAsBegun(record, begun))
  const current = new Set(records.flatMap((record) => (record.ok ? [currentRun(record.terminal)] : [])))
  const judged = judgeEnds(before, { records, living, ended: facts.ended.filter(({ run }) => current.has(run)) })
  const planned = reconcile({ ...facts, records: judged.records, holders: judged.holders })
  const actions = planned.map((action) => (action.kind === 'leave' && judged.mended.has(action.terminal.id) ? keptAsLost(action) : action))
  return {
    filled,
    home: elsewhere === null ? null : homeOf(own, filled?.topology ?? facts.topology),
    actions,
    mended: judged.mended,
    lost: lostWith(before, judged, actions),
    happened: judged.wasShutDown ? 'shutdown' : before.hasRebooted ? 'reboot' : 'crash',
    isWhole: records.every(({ ok }) => ok),
  }
}

/** A run that has a process is of this machine, whatever the database says. */
const takenHome = (records: readonly KeptRecord[], here: Here, living: ReadonlySet<RunId>): readonly KeptRecord[] =>
  records.map((record) =>
    record.ok && !runsNamedBy(record.terminal).some((run) => living.has(run))
      ? { ok: true, terminal: terminalFromElsewhere(record.terminal, here) }
      : record,
  )

const homeOf = (records: readonly KeptRecord[], topology: Topology): BootPlan['home'] => ({
  terminals: records.flatMap((record) => (record.ok && record.terminal.imported !== undefined ? [record.terminal] : [])),
  topology: topologyFromElsewhere(topology),
})

/**
 * What a wake that a crash interrupted left to show: nothing of its own where its holder never began, and then what was shown before;
 * its own output where the program was started, even if no daemon lived to write that down. One that was to be resumed and has ended is
 * judged by its end: had it failed, what was shown before comes back.
 */
function asFarAsBegun(record: KeptRecord, begun: ReadonlyMap<RunId, Begun>): KeptRecord {
  if (!record.ok || record.terminal.state !== 'waking') return record
  const { terminal } = record
  const stage = begun.get(terminal.run)
  if (stage === 'nothing') return { ok: true, terminal: { ...terminal, lastRun: terminal.previousRun } }
  if (stage === 'started' || (stage === 'ended' && terminal.mode === 'fresh'))
    return { ok: true, terminal: { ...terminal, previousRun: null } }
  return record
}

type Sights = {
  readonly records: readonly KeptRecord[]
  readonly living: readonly LivingHolder[]
  readonly ended: readonly LivingHolder[]
}
type Judged = {
  readonly records: readonly KeptRecord[]
  readonly holders: readonly LivingHolder[]
  readonly mended: ReadonlySet<TerminalId>
  readonly wasShutDown: boolean
}

/** What the machine has ended was running, whatever its exit says: it is left without a holder, as after a power cut. */
function judgeEnds(before: LifeBefore, { records, living, ended }: Sights): Judged {
  const seen = records.flatMap((record) => (record.ok ? (endToldBy(record.terminal) ?? []) : []))
  // A run that was settling ended because we asked it to, by a hang-up too: that says nothing about the machine.
  const asked = new Set(records.flatMap((record) => (record.ok && record.terminal.state === 'settling' ? [record.terminal.run] : [])))
  const ends = [...seen, ...ended.flatMap((holder) => (asked.has(holder.run) ? [] : (endOf(holder) ?? [])))]
  const life: LastLife = { ...before, hasSurvivors: living.some(({ exited }) => exited === null), ends }
  const judged = records.map((record) => {
    const terminal = record.ok ? withoutMachineEnd(record.terminal, life) : null
    return !record.ok || terminal === null || terminal === record.terminal ? record : ({ ok: true, terminal } as const)
  })
  const own = ended.filter((holder) => {
    const end = endOf(holder)
    return asked.has(holder.run) || end === null || !endedWithMachine(end, life)
  })
  const mended = new Set(judged.flatMap((record, index) => (record.ok && record !== records[index] ? [record.terminal.id] : [])))
  return { records: judged, holders: [...living, ...own], mended, wasShutDown: mended.size > 0 || own.length < ended.length }
}

const endOf = ({ exited: status, exitedAt: at }: LivingHolder): End | null =>
  status === null || at === undefined ? null : { at, status, isSeen: false }

const keptAsLost = ({ terminal }: Extract<Action, { readonly kind: 'leave' }>): Action => ({
  kind: 'markLost',
  terminal,
  effects: [{ kind: 'keep' }, { kind: 'announce' }],
})

/** Lost by this plan, or by the daemon before in its last moments, and not found again. */
function lostWith(before: LifeBefore, { records }: Judged, actions: readonly Action[]): ReadonlySet<TerminalId> {
  const sign = lastSignOf(before, records)
  return new Set(
    actions.flatMap((action) => {
      const isAtTheEnd = action.kind === 'leave' && sign !== null && wasLostAtTheEnd(action.terminal, sign)
      const isMarked = action.kind === 'markLost' && action.terminal.because.kind === 'lost'
      return isAtTheEnd || isMarked ? [action.terminal.id] : []
    }),
  )
}

/** Null where the daemon was ended by a command: then it has seen the losses before that for what they were. */
function lastSignOf({ session, toldAt }: LifeBefore, records: readonly KeptRecord[]): number | null {
  if (session === null || (session.clean && toldAt === null)) return null
  const changes = records.flatMap((record) => (record.ok && record.terminal.state === 'asleep' ? [record.terminal.since] : []))
  return Math.max(session.createdAt, session.lastCheckpointAt ?? 0, toldAt ?? 0, ...changes)
}
