/** What is known of the daemon before this one: how it ended, whether the machine went with it, and what was running then. */
import type { SessionId, TerminalId } from '../base/ids.ts'
import type { KeptRecord, Session } from '../store/store.ts'
import type { RecoveryView } from '../wire/recoveryView.ts'
import { isSameHost } from '../workspace/checkpointHost.ts'
import { type End, endedWithMachine, endToldBy, type LastLife, wasLostAtTheEnd, withoutMachineEnd } from '../workspace/machineEnd.ts'
import type { Action, LivingHolder } from '../workspace/reconcile.ts'
import type { Terminal } from '../workspace/terminal.ts'
import type { Daemon } from './daemon.ts'

const TOLD = 'told-to-end'

export type Before = { readonly session: Session | null; readonly toldAt: number | null; readonly hasRebooted: boolean }

/** A signal has told this daemon to end, and perhaps everything else with it. */
export const keepTold = (daemon: Daemon, at: number): Promise<void> =>
  daemon.store.keepSetting(TOLD, JSON.stringify({ session: daemon.checkpoints.session, at }))

export async function lifeBefore(daemon: Daemon): Promise<Before> {
  const [session, told] = await Promise.all([daemon.store.sessionBefore(), daemon.store.setting(TOLD)])
  if (session === null) return { session, toldAt: null, hasRebooted: false }
  return { session, toldAt: toldAtOf(told, session.id), hasRebooted: hasRebooted(session, daemon) }
}

function toldAtOf(text: string | null, session: SessionId): number | null {
  try {
    const told = JSON.parse(text ?? 'null') as { session?: unknown; at?: unknown } | null
    return told?.session === session && typeof told.at === 'number' ? told.at : null
  } catch {
    return null // nobody knows, as after a crash
  }
}

/** Where a boot is known only by the clock, a rounding could pass for a reboot, and the living for the dead. */
function hasRebooted({ host: then }: Session, { checkpoints: { host: now } }: Daemon): boolean {
  return isSameHost(then, now) && [then.boot, now.boot].every((boot) => /^[0-9a-f-]{36}$/.test(boot)) && then.boot !== now.boot
}

export type Sights = {
  readonly records: readonly KeptRecord[]
  /** Those that live or lived when somebody looked. */
  readonly living: readonly LivingHolder[]
  /** Of holders that are gone, with how their programs ended. */
  readonly ended: readonly LivingHolder[]
}

export type Judged = {
  readonly records: readonly KeptRecord[]
  readonly holders: readonly LivingHolder[]
  /** Records that took the machine's end for their program's own. */
  readonly mended: readonly Terminal[]
  readonly wasShutDown: boolean
}

/** What the machine has ended was running, whatever its exit says: it is left without a holder, as after a power cut. */
export function judgeEnds(before: Before, { records, living, ended }: Sights): Judged {
  const seen = records.flatMap((record) => (record.ok ? (endToldBy(record.terminal) ?? []) : []))
  const ends = [...seen, ...ended.flatMap((holder) => endOf(holder) ?? [])]
  const life: LastLife = { ...before, hasSurvivors: living.some(({ exited }) => exited === null), ends }
  const judged = records.map((record) => (record.ok ? { ...record, terminal: withoutMachineEnd(record.terminal, life) } : record))
  const own = ended.filter((holder) => {
    const end = endOf(holder)
    return end === null || !endedWithMachine(end, life)
  })
  const mended = judged.flatMap((record, index) => (record.ok && !isSame(record, records[index]) ? [record.terminal] : []))
  return { records: judged, holders: [...living, ...own], mended, wasShutDown: mended.length > 0 || own.length < ended.length }
}

const isSame = (one: { readonly terminal: Terminal }, other: KeptRecord | undefined): boolean =>
  other?.ok === true && other.terminal === one.terminal

const endOf = ({ exited: status, exitedAt: at }: LivingHolder): End | null =>
  status === null || at === undefined ? null : { at, status, isSeen: false }

export type Found = { readonly before: Before; readonly judged: Judged; readonly plan: readonly Action[] }

/** Those that were running when it all went down, in the order of the dock. */
export function lostWith(daemon: Daemon, { before, judged, plan }: Found): readonly TerminalId[] {
  const lost = new Set<TerminalId>(judged.mended.map(({ id }) => id))
  for (const action of plan) if (action.kind === 'markLost') lost.add(action.terminal.id)
  const sign = lastSignOf(before, judged.records)
  for (const record of judged.records)
    if (sign !== null && record.ok && wasLostAtTheEnd(record.terminal, sign)) lost.add(record.terminal.id)
  return daemon.inDockOrder().flatMap(({ id }) => (lost.has(id) ? [id] : []))
}

/** Null where the daemon ended because somebody wanted it to: then it has seen the losses before that for what they were. */
function lastSignOf({ session, toldAt }: Before, records: readonly KeptRecord[]): number | null {
  if (session === null || (session.clean && toldAt === null)) return null
  const changes = records.flatMap((record) => (record.ok && record.terminal.state === 'asleep' ? [record.terminal.since] : []))
  return Math.max(session.createdAt, session.lastCheckpointAt ?? 0, toldAt ?? 0, ...changes)
}

export const happenedTo = ({ before, judged }: Found): RecoveryView['happened'] =>
  judged.wasShutDown ? 'shutdown' : before.hasRebooted ? 'reboot' : 'crash'
