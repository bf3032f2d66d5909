/**
 * What a daemon does when it starts, as a plan. Its input is what was kept and who is alive; each record and each
 * holder is dealt with exactly once. A living program is ended only if its record says that the user put it to sleep;
 * everything else that lives is shown, whatever the records say. The effects are run by the same loop as those of `step`.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { isId } from '../../base/ids.ts'
import { isLoginLine } from '../command/loginShell.ts'
import { sameValue } from '../sameValue.ts'
import type { Effect, Outcome } from '../terminal/events.ts'
import { step } from '../terminal/step.ts'
import {
  type Asleep,
  currentRun,
  type ExitStatus,
  type Kept,
  keptOf,
  type Live,
  type Settling,
  type Spec,
  type Terminal,
  type Waking,
} from '../terminal/terminal.ts'
import type { KeptRecord, LivingHolder, UndecodableRecord } from './found.ts'
import { type Claim, matchHolders } from './matchHolders.ts'

export type Action = { readonly effects: readonly Effect[] } & (
  | { readonly kind: 'adopt'; readonly terminal: Live | Settling; readonly holder: LivingHolder }
  /** A holder without a usable record. An undecodable record goes along: its raw text must be put aside before the new one is kept. */
  | {
      readonly kind: 'adoptOrphan'
      readonly terminal: Live | Asleep
      readonly holder: LivingHolder
      readonly record: UndecodableRecord | null
    }
  /** The program ended while the daemon was away. The terminal is null if it had been closed. */
  | { readonly kind: 'takeExit'; readonly id: TerminalId; readonly terminal: Asleep | null; readonly holder: LivingHolder }
  | { readonly kind: 'reap'; readonly terminal: Asleep; readonly holder: LivingHolder }
  | { readonly kind: 'markLost'; readonly terminal: Asleep }
  | { readonly kind: 'finishClose'; readonly id: TerminalId }
  | { readonly kind: 'leave'; readonly terminal: Asleep }
  | { readonly kind: 'salvage'; readonly terminal: Asleep; readonly record: UndecodableRecord }
)

export type BootState = {
  readonly records: readonly KeptRecord[]
  readonly holders: readonly LivingHolder[]
  readonly now: number
  /** The settling that a crash interrupted starts over with this much time. */
  readonly graceMs: number
  /** What a terminal runs whose own record is lost: the user's shell at home. */
  readonly fallbackSpec: Spec
  readonly makeId: () => TerminalId
}

const keep: Effect = { kind: 'keep' }
const announce: Effect = { kind: 'announce' }

export function reconcile(boot: BootState): readonly Action[] {
  const { claims, strays } = matchHolders(boot.records, boot.holders)
  return [...claims.map((claim) => forRecord(claim, boot)), ...strays.map((stray) => forStray(stray, boot))]
}

function forRecord({ record, holder }: Claim, boot: BootState): Action {
  if (!record.ok) return holder === null ? salvage(record, boot) : adoptOrphan(holder, { id: usableId(record, boot), record })
  const { terminal } = record
  if (holder === null) return withoutHolder(terminal, boot.now)
  if (holder.exited !== null) return takeExit(terminal, holder, { status: holder.exited, boot })
  return mayReap(terminal, holder) ? reap(terminal, holder) : adopt(terminal, holder, boot)
}

function forStray({ holder, idTaken }: { readonly holder: LivingHolder; readonly idTaken: boolean }, boot: BootState): Action {
  return adoptOrphan(holder, { id: idTaken ? boot.makeId() : holder.terminal, record: null })
}

const usableId = (record: UndecodableRecord, { makeId }: BootState): TerminalId => (isId('terminal', record.id) ? record.id : makeId())

/** The same as if the daemon had been there when the holder went. */
function withoutHolder(terminal: Terminal, now: number): Action {
  if (terminal.state === 'asleep') return { kind: 'leave', terminal, effects: [] }
  const { terminal: after, effects } = step(terminal, { kind: 'holderLost', run: terminal.run }, now)
  if (after === null) return { kind: 'finishClose', id: terminal.id, effects }
  return { kind: 'markLost', terminal: mustBeAsleep(after), effects: [keep, announce] }
}

/** A holder of an unknown version is left alone even then: it cannot be asked whose program it holds. */
function mayReap(terminal: Terminal, { run, link }: LivingHolder): terminal is Asleep {
  return terminal.state === 'asleep' && terminal.because.kind === 'slept' && terminal.lastRun === run && link.kind !== 'incompatible'
}

function reap(terminal: Asleep, holder: LivingHolder): Action {
  const { run } = holder
  return { kind: 'reap', terminal, holder, effects: [keep, { kind: 'kill', run }, { kind: 'releaseHolder', run }] }
}

function adopt(record: Terminal, holder: LivingHolder, boot: BootState): Action {
  const terminal = adopted(record, holder, boot)
  if (terminal.state === 'settling') return { kind: 'adopt', terminal, holder, effects: settleAgain(terminal, boot.graceMs) }
  return { kind: 'adopt', terminal, holder, effects: sameValue(terminal, record) ? [announce] : [keep, announce] }
}

function adopted(record: Terminal, holder: LivingHolder, { now, graceMs }: BootState): Live | Settling {
  const { pid, holderPid, link, run } = holder
  if (currentRun(record) === run) {
    if (record.state === 'live') return { ...record, pid, holderPid, link }
    if (record.state === 'settling') return { ...record, pid, holderPid, deadline: now + graceMs }
    if (record.state === 'waking') return startedUnseen(record, holder)
  }
  return liveWith({ ...keptOf(record), lastRun: run }, holder)
}

/** Whether a resume was one is told by what the holder was given: the daemon that chose it did not live to say so. */
function startedUnseen(record: Waking, holder: LivingHolder): Live {
  const { previousRun, previousRestore } = record
  const argvOf = ({ command, args }: Spec): readonly string[] => [command, ...args]
  const mode = sameValue(argvOf(holder.spec), argvOf(record.spec)) ? 'fresh' : record.mode
  return { ...liveWith(keptOf(record), holder), mode, previousRun, previousRestore }
}

function liveWith(kept: Kept, { run, pid, holderPid, link, startedAt }: LivingHolder): Live {
  const trial = { mode: 'fresh', previousRun: null, previousRestore: null } as const
  return { ...kept, state: 'live', run, since: startedAt, pid, holderPid, link, foreground: null, agent: null, ...trial }
}

function settleAgain({ run, then }: Settling, graceMs: number): readonly Effect[] {
  return [keep, { kind: 'settle', run, graceMs, then }, announce]
}

type Ended = { readonly status: ExitStatus; readonly boot: BootState }

function takeExit(record: Terminal, holder: LivingHolder, { status, boot }: Ended): Action {
  const isUnseen = record.state === 'waking' && record.run === holder.run
  const { terminal, effects } = exitOf(isUnseen ? startedUnseen(record, holder) : record, holder, { status, boot })
  return { kind: 'takeExit', id: record.id, terminal: terminal === null ? null : mustBeAsleep(terminal), holder, effects }
}

function exitOf(record: Terminal, { run, exitedAt }: LivingHolder, { status, boot: { now } }: Ended): Outcome {
  const at = exitedAt === undefined ? {} : { at: exitedAt }
  if (currentRun(record) === run) return step(record, { kind: 'exited', run, status, ...at }, now)
  if (record.state === 'asleep' && hasEnded(record, run))
    return { terminal: record, effects: [keep, { kind: 'releaseHolder', run }, announce] }
  return { terminal: exitedAsleep({ ...keptOf(record), lastRun: run }, status, now), effects: exitEffects(run) }
}

/** The end of this run is known already; a resume that failed has given its place to the run before. */
function hasEnded({ because, lastRun }: Asleep, run: RunId): boolean {
  if (because.kind === 'failed') return because.resumed === run
  return lastRun === run && (because.kind === 'slept' || because.kind === 'exited')
}

/**
 * Whether a living holder found after the boot belongs to nobody yet. A terminal that runs something else by now keeps it: had this holder
 * its place, the acknowledged sleep or wake of the user would be undone. A program that ended was let go, and its holder is about to end.
 * One that was put to sleep should have ended: its holder is looked at.
 */
export function isStray({ terminal: id, run }: Pick<LivingHolder, 'terminal' | 'run'>, terminal: Terminal | null): boolean {
  if (terminal === null || terminal.id !== id) return true
  return terminal.state === 'asleep' && (terminal.because.kind === 'slept' || !hasEnded(terminal, run))
}

function exitedAsleep(kept: Kept, status: ExitStatus, since: number): Asleep {
  return { ...kept, state: 'asleep', since, because: { kind: 'exited', status } }
}

const exitEffects = (run: RunId): readonly Effect[] => [{ kind: 'keepScreen', run }, keep, { kind: 'releaseHolder', run }, announce]

function adoptOrphan(holder: LivingHolder, { id, record }: { readonly id: TerminalId; readonly record: UndecodableRecord | null }): Action {
  const kept = {
    ...keptAnew({ id, spec: startable(holder.spec), lastRun: holder.run, at: holder.startedAt }),
    private: holder.private === true,
  }
  if (holder.exited === null) return { kind: 'adoptOrphan', terminal: liveWith(kept, holder), holder, record, effects: [keep, announce] }
  const terminal = exitedAsleep(kept, holder.exited, holder.startedAt)
  return { kind: 'adoptOrphan', terminal, holder, record, effects: exitEffects(holder.run) }
}

/** Of an agent that a login shell has started only the shell can be started again. */
const startable = (spec: Spec): Spec => (isLoginLine(spec.args) ? { ...spec, args: [] } : spec)

function salvage(record: UndecodableRecord, boot: BootState): Action {
  const kept = keptAnew({ id: usableId(record, boot), spec: boot.fallbackSpec, lastRun: null, at: boot.now })
  return {
    kind: 'salvage',
    terminal: { ...kept, state: 'asleep', since: boot.now, because: { kind: 'lost' } },
    record,
    effects: [keep, announce],
  }
}

type Anew = { readonly id: TerminalId; readonly spec: Spec; readonly lastRun: RunId | null; readonly at: number }

function keptAnew({ id, spec, lastRun, at }: Anew): Kept {
  const details = {
    title: '',
    theme: null,
    pinned: false,
    muted: false,
    unread: false,
    private: false,
    restore: { kind: 'shell' },
    onRestore: 'policy',
  } as const
  return { id, name: null, spec, lastRun, ...details, created: at, touched: at }
}

function mustBeAsleep(terminal: Terminal): Asleep {
  if (terminal.state === 'asleep') return terminal
  throw new Error(`the end of a run left ${terminal.id} ${terminal.state}`)
}
