/** Gives a terminal the conversation of its root agent: decided anew at every look, kept once per change, and at once. */
import { type Finding, type Look, PROVENANCES, type Provenance } from '../../agents/agent.ts'
import { resumeArgv } from '../../agents/argv.ts'
import { type Decision, decide, type Why } from '../../agents/identity.ts'
import type { StateTrack } from '../../agents/stateMerge.ts'
import type { TerminalId } from '../../base/ids.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import type { Restore, Terminal } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { trip } from '../trip.ts'
import { lastBound, note } from './agentAudit.ts'
import { candidatesFor } from './candidates.ts'
import type { Claims } from './claims.ts'
import { enteredAt, lastMove, type SeenAgent, type Watched } from './watched.ts'

type Conversation = Extract<Restore, { readonly kind: 'conversation' }>
export type Binding = {
  readonly daemon: Daemon
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
  const { agent, bound: known, process } = seen
  const owners = claims.ofOthers(watched.terminal, agent.id)
  const claimed = new Set(owners.keys())
  const began = newestOpen(candidates, claimed) ?? now
  const workingSince = lastMove(seen, began)?.at ?? null
  const rivals = claims.rivalsOf(watched, began)
  const decision = decide({
    agent,
    known,
    candidates,
    process,
    now,
    workingSince,
    entered: enteredAt(seen),
    rivals,
    claimed,
  })
  await noteRejections(binding, decision, owners)
  if (decision.finding === null) return
  const finding = bestWitness(decision.finding, candidates)
  if (known !== null && known.id !== finding.id) seen.track = withoutDetails(seen.track)
  seen.bound = finding
  await keep(binding, look, finding)
  if (seen.noted === finding.id) return
  seen.noted = finding.id
  await noteBinding(binding, { kind: decision.kind, finding })
}

/** What a directory tells is about the newest that nobody has: those before were decided about when they were. */
function newestOpen(candidates: readonly Finding[], claimed: ReadonlySet<string>): number | null {
  const open = candidates.filter(({ provenance, id }) => provenance === 'store' && !claimed.has(id)).flatMap(({ began }) => began ?? [])
  return open.length === 0 ? null : Math.max(...open)
}

/** Several may say the same: the best of them is named, but for a command line, which may be our own resume. */
function bestWitness(finding: Finding, candidates: readonly Finding[]): Finding {
  const ranks = candidates
    .filter(({ id, provenance }) => id === finding.id && provenance !== 'user')
    .map(({ provenance }) => PROVENANCES.indexOf(provenance))
  return { ...finding, provenance: PROVENANCES[Math.min(PROVENANCES.indexOf(finding.provenance), ...ranks)] ?? finding.provenance }
}

/** They were those of the conversation before. */
const withoutDetails = (track: StateTrack | null): StateTrack | null =>
  track === null ? null : { ...track, told: { ...track.told, model: null, title: null, tokens: null } }

/** Once per change, never in a loop; what is the same already is not written again. */
async function keep(binding: Binding, look: Look, finding: Finding): Promise<void> {
  const { daemon, watched, seen } = binding
  const restore = restoreOf(seen, finding)
  const terminal = daemon.registry.byRun(watched.run)
  if (restore === null || terminal === null || isKept(terminal, restore) || !(await isResumable(seen, look, finding))) return
  trip('agents:before-keep')
  await daemon.registry.apply(watched.terminal, { kind: 'conversationSeen', run: watched.run, restore, agent: seen.agent.id })
  trip('agents:kept')
}

/** An id for which nothing is on disk yet would take the place of one that can be resumed. */
const isResumable = async ({ agent }: SeenAgent, look: Look, { id, transcript }: Finding): Promise<boolean> =>
  transcript !== null || (await agent.transcript(look, id)).kind !== 'gone'

function restoreOf({ agent, process, wrapper }: SeenAgent, { id, provenance }: Finding): Conversation | null {
  const argv = resumeArgv(agent, { argv: process.process.argv, id })
  if (argv === null) return null
  const place = process.cwd === null ? {} : { cwd: process.cwd }
  return { kind: 'conversation', agent: agent.id, id, provenance, argv, ...place, env: process.env, wrapper }
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
