import { type AgentState, type AgentSummary, isAtRest, STATE_SOURCES, type StateReport, type StateSource } from './state.ts'

/**
 * Makes one state of what several sources report about an agent. A source that reports `unknown` does not count; while no source
 * counts, the last known state stays: the caller begins with null for every process. A better source wins, with two exceptions.
 * A file that is clearly younger than the last hook wins: a hook did not fire. And what the screen shows now wins over an older
 * row of a file: see `outranks`.
 */
export type Reports = Readonly<Partial<Record<StateSource, StateReport>>>

/** When the user last typed into the terminal or looked at it; null for never. */
export type Attention = { readonly attendedAt: number | null }

const DATED: ReadonlySet<StateSource> = new Set(['registration', 'transcript'])
/** Hooks and files speak of one event within this; beyond it they speak of two. */
const CLEARLY_YOUNGER_MS = 1_500
/** These say by themselves that a turn is finished, so that their `idle` after work is a turn that was broken off. */
const TELLS_DONE: ReadonlySet<StateSource> = new Set(['protocol', 'hook'])

const UNATTENDED: Attention = { attendedAt: null }
const NOTHING = { state: 'unknown', wants: null, words: null, model: null, title: null, tokens: null } as const

export function merged(before: AgentSummary | null, reports: Reports, now: number, attention: Attention = UNATTENDED): AgentSummary {
  const told = winner(reports)
  const kept = before ?? { ...NOTHING, since: now }
  if (told === null) return attended(before, kept, attention)
  const state = stateAfter(before, told)
  const since = before?.state === state ? before.since : Math.min(before === null ? beganAt(told, reports) : told.at, now)
  const words = wordsOf(told, reports) ?? (before?.state === state ? before.words : null)
  const wants = state === 'needs-you' ? wantsOf(told, reports) : null
  return attended(before, { ...kept, state, wants, since, words }, attention)
}

/** A report that comes late is heard now, but the agent's files tell since when it holds. */
const beganAt = ({ state, at }: StateReport, reports: Reports): number =>
  Math.min(at, ...knownIn(reports).flatMap((report) => (DATED.has(report.source) && isLike(report.state, state) ? [report.at] : [])))

function winner(reports: Reports): StateReport | null {
  const known = knownIn(reports)
  const [best] = known
  if (best === undefined) return null
  if (best.source === 'protocol') return overruled(best, reports)
  const younger = known.find(({ source, at }) => DATED.has(source) && at > best.at + CLEARLY_YOUNGER_MS)
  return overruled(younger ?? best, reports)
}

const overruled = (told: StateReport, { screen }: Reports): StateReport => (screen !== undefined && outranks(screen, told) ? screen : told)

/**
 * `screen.at` is when the screen began to show its state; it still shows it. An open question and a spinner are there only while
 * the agent asks or works. A prompt without a spinner is less: it counts only if it appeared after the row was written, so that
 * a spinner that is not recognised does not make a working agent look idle. Hooks and the protocol come from the agent at once:
 * only a question that opened after them says that one is missing.
 */
function outranks(screen: StateReport, told: StateReport): boolean {
  if (screen.state === 'unknown' || screen.state === told.state) return false
  if (!DATED.has(told.source)) return screen.state === 'needs-you' && screen.at > told.at
  return isAtRest(screen.state) ? screen.at > told.at : true
}

/** Best first. */
const knownIn = (reports: Reports): readonly StateReport[] =>
  STATE_SOURCES.flatMap((source) => {
    const report = reports[source]
    return report === undefined || report.state === 'unknown' ? [] : [report]
  })

/** Most sources know only that it is idle: idle after work is done, and stays so until the user attends to it. */
function stateAfter(before: AgentSummary | null, { source, state }: StateReport): AgentState {
  if (state !== 'idle' || before === null) return state
  if (before.state === 'done') return 'done'
  const wasBusy = before.state === 'working' || before.state === 'needs-you'
  return wasBusy && !TELLS_DONE.has(source) ? 'done' : 'idle'
}

/** What is done and has been attended to since is idle. */
function attended(before: AgentSummary | null, summary: AgentSummary, { attendedAt }: Attention): AgentSummary {
  if (summary.state !== 'done' || attendedAt === null || attendedAt <= summary.since) return summary
  return { ...summary, state: 'idle', since: before?.state === 'idle' ? before.since : attendedAt }
}

/** What the best source leaves out, another one may tell, if it speaks of the same state. */
function wordsOf({ state, words }: StateReport, reports: Reports): string | null {
  return words ?? knownIn(reports).find((report) => isLike(report.state, state) && report.words !== null)?.words ?? null
}

const isLike = (one: AgentState, other: AgentState): boolean => one === other || (isAtRest(one) && isAtRest(other))

const wantsOf = ({ wants }: StateReport, reports: Reports): AgentSummary['wants'] =>
  wants ?? knownIn(reports).find((report) => report.state === 'needs-you' && report.wants !== null)?.wants ?? null

/** An agent that rests for less than this between two steps is still working; a question that is redrawn is still open. */
export const CALM_AFTER_MS = 300

/** What is told of an agent, and what will be if nothing else comes; `seen` is when that was seen first. */
export type StateTrack = {
  readonly told: AgentSummary
  readonly pending: { readonly summary: AgentSummary; readonly seen: number } | null
}

/** The same as `merged`, without flicker. The caller looks at the screen again after `waitMs`, and before that comes with every report. */
export function tracked(
  before: StateTrack | null,
  reports: Reports,
  now: number,
  attention: Attention = UNATTENDED,
): { readonly track: StateTrack; readonly waitMs: number | null } {
  if (before === null) return { track: { told: merged(null, reports, now, attention), pending: null }, waitMs: null }
  const { told, pending } = before
  const next = merged(told, reports, now, attention)
  if (!isCalming(told, next, reports)) return { track: { told: next, pending: null }, waitMs: null }
  const seen = pending?.seen ?? now
  const left = seen + CALM_AFTER_MS - now
  const since = pending?.summary.state === next.state ? pending.summary.since : next.since
  const summary = attended(told, { ...next, since }, attention)
  if (left <= 0) return { track: { told: summary, pending: null }, waitMs: null }
  return { track: { told, pending: { summary, seen } }, waitMs: left }
}

/** A screen that is read between two frames shows neither spinner nor question. That the agent itself says so needs no second look. */
function isCalming(told: AgentSummary, next: AgentSummary, reports: Reports): boolean {
  if (told.state === 'working') return isAtRest(next.state)
  const source = winner(reports)?.source
  return told.state === 'needs-you' && next.state !== 'needs-you' && source !== undefined && !TELLS_DONE.has(source)
}

/** Whether a client that waits for one of these states has waited long enough. `done` satisfies a wait for `idle`: it is the user's turn. */
export const isAwaited = (state: AgentState, awaited: Exclude<AgentState, 'unknown'>): boolean =>
  state === awaited || (awaited === 'idle' && state === 'done')
