/**
 * Whether a program ended by itself, or was taken along when the machine was shut down or the user was logged out. Then
 * everything is told to end at the same moment, the daemon too, and nobody is there to see in which order. Only the next
 * daemon can tell, from when it all happened.
 */
import type { ExitStatus, Terminal } from '../terminal/terminal.ts'

export type End = {
  readonly at: number
  readonly status: ExitStatus
  /** A daemon was there and took it for the program's own. */
  readonly isSeen: boolean
}

/** What is known of the life of the daemon before this one. */
export type LastLife = {
  /** When a signal told it to end; null where none did: it was stopped by a command, or it died. */
  readonly toldAt: number | null
  readonly hasRebooted: boolean
  /** A program survived: only the daemon was told to end. */
  readonly hasSurvivors: boolean
  readonly ends: readonly End[]
}

/** Signals reach a hundred processes within this time, on a machine that swaps too. */
const FORCED_BEFORE_MS = 5_000
/** A program that exits with 0 in the last second may have been told to; a user who quits a shell does so earlier. */
const ORDERLY_BEFORE_MS = 1_000
/** systemd waits for ninety seconds before it kills. */
const AFTER_MS = { rebooted: 100_000, sameBoot: 10_000 } as const

const FORCING = ['SIGTERM', 'SIGHUP', 'SIGKILL']
const FORCED_CODES = [129, 137, 143] // as a shell tells of the signals above

const isForced = (status: ExitStatus): boolean =>
  'signal' in status ? FORCING.includes(status.signal) : FORCED_CODES.includes(status.code)

export function endedWithMachine(end: End, life: LastLife): boolean {
  const moment = momentOf(life)
  if (moment === null || !isNear(end, moment, life)) return false
  if (!life.hasRebooted && life.hasSurvivors) return false
  if (isForced(end.status)) return true
  if (life.hasRebooted && life.toldAt !== null) return true
  return life.ends.some((other) => isForced(other.status) && isNear(other, moment, life))
}

/** Without a word of the daemon it is the last end that no daemon saw; on the same boot that says nothing. */
function momentOf({ toldAt, hasRebooted, ends }: LastLife): number | null {
  if (toldAt !== null) return toldAt
  const unseen = ends.filter(({ isSeen }) => !isSeen).map(({ at }) => at)
  return hasRebooted && unseen.length > 0 ? Math.max(...unseen) : null
}

function isNear({ at, status }: End, moment: number, { hasRebooted }: LastLife): boolean {
  const after = hasRebooted ? AFTER_MS.rebooted : AFTER_MS.sameBoot
  return at >= moment - (isForced(status) ? FORCED_BEFORE_MS : ORDERLY_BEFORE_MS) && at <= moment + after
}

/** The end that a record tells of; null where it tells of none that may have been the machine's. */
export function endToldBy(terminal: Terminal): End | null {
  if (terminal.state !== 'asleep') return null
  const { because, since: at } = terminal
  if (because.kind === 'exited') return { at, status: because.status, isSeen: true }
  // A resume that was ended in its first seconds did not fail.
  return because.kind === 'failed' && because.resumed !== null ? { at, status: { signal: 'SIGTERM' }, isSeen: true } : null
}

/** A daemon that was dying too may have seen that a program ended, and taken it for its own end. */
export function withoutMachineEnd(terminal: Terminal, life: LastLife): Terminal {
  const end = endToldBy(terminal)
  if (end === null || terminal.state !== 'asleep' || !endedWithMachine(end, life)) return terminal
  return { ...terminal, because: { kind: 'lost' } }
}

/** A holder that went a moment before its daemon was seen to go: it is part of the same end. */
const LOST_BEFORE_MS = 10_000

/** `lastSign` is the last that is known of the daemon before this one. */
export const wasLostAtTheEnd = (terminal: Terminal, lastSign: number): boolean =>
  terminal.state === 'asleep' && terminal.because.kind === 'lost' && terminal.since >= lastSign - LOST_BEFORE_MS
