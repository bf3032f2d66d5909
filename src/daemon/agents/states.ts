/** The state of the agent in front: what its files and its screen show at a look, and what it reports by itself. */
import type { Look, Reading } from '../../agents/agent.ts'
import type { AgentState, AgentSummary, StateReport } from '../../agents/state.ts'
import { tracked } from '../../agents/stateMerge.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import { screenText } from './screenText.ts'
import { moved, type SeenAgent, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

const ENTERED_BEFORE_MS = 5_000

export type Doing = { readonly daemon: AgentWorld; readonly watched: Watched; readonly seen: SeenAgent }

export async function readState(doing: Doing, look: Look): Promise<void> {
  const { seen } = doing
  const reading = seen.bound === null || seen.agent.reading === null ? null : await seen.agent.reading(look, seen.bound)
  if (reading?.state) seen.reports = { ...seen.reports, [reading.state.source]: reading.state }
  await readScreen(doing)
  refresh(doing, reading)
}

export function stated(doing: Doing, report: StateReport): void {
  doing.seen.reports = { ...doing.seen.reports, [report.source]: report }
  refresh(doing, null)
}

/** What the screen no longer shows is no longer reported. */
async function readScreen({ daemon, watched, seen }: Doing): Promise<void> {
  if (seen.agent.shown === null) return
  const text = await screenText(daemon, watched.run)
  const shown = seen.agent.shown({ title: daemon.registry.get(watched.terminal)?.title ?? '', screen: text.split('\n') })
  const { screen: _, ...others } = seen.reports
  seen.reports = others
  if (shown === null) return
  seen.shown = { ...shown, at: isSameSight(seen.shown, shown) ? seen.shown.at : Date.now() }
  seen.reports = { ...others, screen: seen.shown }
}

/**
 * A prompt that comes back without a spinner in between, such as after another view, has been there all the time. Another question is
 * another sight, even if no look fell between the two.
 */
const isSameSight = (before: StateReport | null, shown: Omit<StateReport, 'at'>): before is StateReport =>
  before?.state === shown.state && (shown.state !== 'needs-you' || before.words === shown.words)

/** Between two looks only the screen is read: it shows a question at once, and costs less than processes and files. */
export async function glance(doing: Doing): Promise<void> {
  await readScreen(doing)
  if (doing.watched.agent === doing.seen) refresh(doing, null)
}

export function refresh(doing: Doing, reading: Reading | null): void {
  const { daemon, watched, seen } = doing
  const { track, waitMs } = tracked(seen.track, seen.reports, Date.now(), seen)
  const { model, title, tokens } = reading ?? track.told
  const told: AgentSummary = {
    ...track.told,
    model: model ?? track.told.model,
    title: title ?? track.told.title,
    tokens: tokens ?? track.told.tokens,
  }
  const isNew = seen.track === null || !sameValue(seen.track.told, told)
  if (told.state === 'working' && seen.track?.told.state !== 'working') noteMove(told.since, seen)
  const isNews = turnsToUser(doing, told.state)
  seen.track = { ...track, told }
  if (waitMs !== null) setTimeout(() => void glance(doing), waitMs).unref()
  if (isNews) daemon.react(watched.terminal, { kind: 'noticed', run: watched.run })
  if (isNew) daemon.audience.announceTerminal(watched.terminal)
}

/** An agent that was there before this daemon has long been seen by another one in the state that it is found in. */
function turnsToUser({ daemon, seen }: Doing, state: AgentState): boolean {
  if (state !== 'needs-you' && state !== 'done') return false
  const before = seen.track?.told.state ?? 'unknown'
  return before === 'unknown' ? seen.process.startedAt >= daemon.startedAt : before !== state
}

/** Only what stands on the screen has no date of its own. An Enter that was seen shortly before is what made it move. */
function noteMove(since: number, seen: SeenAgent): void {
  const { screen: _, ...dated } = seen.reports
  const isExact = Object.values(dated).some(({ state }) => state === 'working')
  const last = seen.moves.at(-1)
  if (last?.isExact !== true || since - last.at >= ENTERED_BEFORE_MS) moved(seen, { at: since, isExact })
}
