/** Gives a terminal the conversation of its root agent: decided anew at every look, kept once per change, and at once. */
import { type Finding, type Look, PROVENANCES, type Provenance } from '../../agents/agent.ts'
import type { Decision, Why } from '../../agents/identity.ts'
import type { StateTrack } from '../../agents/stateMerge.ts'
import type { TerminalId } from '../../base/ids.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import type { Restore, Terminal, UnknownWhy } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import { lastBound, note } from './agentAudit.ts'
import { candidatesFor } from './candidates.ts'
import type { Claims } from './claims.ts'
import { decisionFor, restoreOf } from './conversationFor.ts'
import type { SeenAgent, Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

type Conversation = Extract<Restore, { readonly kind: 'conversation' }>
export type Binding = {
  readonly daemon: AgentWorld
  readonly claims: Claims
  readonly watched: Watched
  readonly seen: SeenAgent
}

export async function bind(binding: Binding, look: Look, now: number): Promise<void> {
  const { daemon, watched, seen } = binding
  await take(binding, look, await candidatesFor(seen, look, daemon.holders.card(watched.run), now), now)
}

/** What it printed on leaving: the last resort where nothing better is known. */
export async function bindPrinted(binding: Binding, look: Look, id: string, now: number): Promise<void> {
  await take(binding, look, [{ id, provenance: 'printed', transcript: null, began: null }], now)
}

async function take(binding: Binding, look: Look, candidates: readonly Finding[], now: number): Promise<void> {
  const { claims, watched, seen } = binding
  const { agent, bound: known } = seen
  const owners = claims.ofOthers(watched.terminal, agent.id)
  const decision = decisionFor({ claims, watched, seen }, candidates, now)
  await noteRejections(binding, decision, owners)
  if (decision.finding === null) return await keepUnknown(binding, decision)
  const { finding } = decision
  if (known !== null && known.id !== finding.id) seen.track = withoutDetails(seen.track)
  seen.bound = finding
  claims.remember(agent.id, finding.id, watched.terminal)
  await keep(binding, look, finding)
  if (seen.noted === finding.id) return
  seen.noted = finding.id
  await noteBinding(binding, { kind: decision.kind, finding })
}

/** Why it is not known: what a wake will say about it. */
async function keepUnknown({ daemon, watched, seen }: Binding, { rejections }: Decision): Promise<void> {
  const terminal = daemon.registry.byRun(watched.run)
  const why = whyUnknown(rejections)
  if (terminal?.restore.kind !== 'unknown' || terminal.restore.why === why) return
  const restore: Restore = { kind: 'unknown', agent: seen.agent.id, ...(why === undefined ? {} : { why }) }
  await daemon.registry.apply(watched.terminal, { kind: 'conversationSeen', run: watched.run, restore, agent: seen.agent.id })
}

function whyUnknown(rejections: Decision['rejections']): UnknownWhy | undefined {
  if (rejections.some(({ why, finding }) => why === 'has another terminal' && finding.provenance !== 'store')) return 'taken'
  return rejections.some(({ why }) => why === 'cannot be told apart') ? 'ambiguous' : undefined
}

/** They were those of the conversation before. */
const withoutDetails = (track: StateTrack | null): StateTrack | null =>
  track === null ? null : { ...track, told: { ...track.told, model: null, title: null, tokens: null } }

/** Once per change, never in a loop; what is the same already is not written again. */
async function keep(binding: Binding, look: Look, finding: Finding): Promise<void> {
  const { daemon, watched, seen } = binding
  const terminal = daemon.registry.byRun(watched.run)
  const restore = terminal === null ? null : restoreOf(seen, finding, terminal)
  if (restore === null || terminal === null || isKept(terminal, restore) || !(await isResumable(seen, look, finding))) return
  trip('agents:before-keep')
  await daemon.registry.apply(watched.terminal, { kind: 'conversationSeen', run: watched.run, restore, agent: seen.agent.id })
  trip('agents:kept')
}

/** An id under which nothing was said yet would take the place of one that can be resumed. */
async function isResumable({ agent }: SeenAgent, look: Look, { id, transcript }: Finding): Promise<boolean> {
  if (transcript !== null) return true
  const { kind } = await agent.transcript(look, id)
  return kind !== 'gone' && kind !== 'empty'
}

/** A better witness of the same conversation is worth a write, another one is not; nor is seeing less of it. */
function isKept(terminal: Terminal, seen: Conversation): boolean {
  const { restore } = terminal
  if (restore.kind !== 'conversation') return false
  // A conversation that the user has chosen is taken back unless it was seen to be real.
  if (terminal.state === 'live' && (terminal.previousRestore !== null || terminal.agent !== seen.agent)) return false
  const known = { ...restore, provenance: seen.provenance }
  return sameValue({ ...known, ...seen }, known) && rankOf(restore.provenance) <= rankOf(seen.provenance)
}

const RANKED: readonly string[] = PROVENANCES
const rankOf = (provenance: string): number => (RANKED.includes(provenance) ? RANKED.indexOf(provenance) : RANKED.length)

/** Killed between the keep and its entry, the next daemon finds the one without the other, and makes up for it. */
async function noteBinding({ daemon, watched, seen }: Binding, { kind, finding }: Decided): Promise<void> {
  if ((await lastBound(daemon, watched.terminal)) === finding.id) return
  trip('agents:before-audit')
  const { id, provenance } = finding
  const why = SAYS[provenance]
  await note(daemon, watched.terminal, { event: kind === 'rebind' ? 'rebind' : 'bind', agent: seen.agent.id, id, provenance, why })
  trip('agents:audited')
}

type Decided = { readonly kind: Decision['kind']; readonly finding: Finding }

const SAYS: Readonly<Record<Provenance, string>> = {
  user: 'the user has chosen it',
  assigned: 'its id was given to the agent at its start',
  hook: 'the agent’s hook says so',
  registration: 'the agent has registered it under its process',
  'open-file': 'the agent has its transcript open',
  store: 'it began in this directory when this terminal did',
  printed: 'the agent named it on leaving',
  latest: 'it is the newest of the directory',
}

type Owners = ReadonlyMap<string, TerminalId>

async function noteRejections({ daemon, watched, seen }: Binding, { rejections }: Decision, owners: Owners): Promise<void> {
  for (const { finding, why } of rejections) {
    const { id, provenance } = finding
    const said = `${seen.process.process.pid} ${id} ${why}`
    if (watched.said.has(said) || !isWorthAnEntry(finding, why)) continue
    watched.said.add(said)
    const reason = why === 'has another terminal' ? `it belongs to ${owners.get(id)}` : why
    await note(daemon, watched.terminal, { event: 'reject', agent: seen.agent.id, id, provenance, why: reason })
  }
}

/** A directory may hold hundreds of conversations of other days: nobody asked for them. */
const isWorthAnEntry = ({ provenance }: Finding, why: Why): boolean => provenance !== 'store' || why === 'cannot be told apart'
