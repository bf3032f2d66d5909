/** Gives a terminal the conversation of its root agent: decided anew at every look, kept once per change, and at once. */
import type { Finding, Look } from '../../agents/agent.ts'
import { PROVENANCES } from '../../agents/agent.ts'
import { resumeArgv } from '../../agents/argv.ts'
import { type Decision, decide } from '../../agents/identity.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import type { Restore, Terminal } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { trip } from '../trip.ts'
import { lastBound, note } from './agentAudit.ts'
import { candidatesFor } from './candidates.ts'
import type { Claims } from './claims.ts'
import type { SeenAgent, Watched } from './watched.ts'

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
  const decision = decide({
    ...{ agent: seen.agent, known: seen.bound, candidates, process: seen.process, now, workingSince: seen.workingSince },
    claimed: claims.ofOthers(watched.terminal, seen.agent.id),
  })
  await noteRejections(binding, decision)
  if (decision.finding === null) return
  seen.bound = decision.finding
  await keep(binding, look, decision.finding)
  if (seen.noted === decision.finding.id) return
  seen.noted = decision.finding.id
  await noteBinding(binding, decision)
}

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

function restoreOf({ agent, process }: SeenAgent, { id, provenance }: Finding): Conversation | null {
  const argv = resumeArgv(agent, { argv: process.process.argv, id })
  if (argv === null) return null
  const place = process.cwd === null ? {} : { cwd: process.cwd }
  return { kind: 'conversation', agent: agent.id, id, provenance, argv, ...place, env: process.env }
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
async function noteBinding({ daemon, watched, seen }: Binding, { kind, finding, why }: Decision): Promise<void> {
  if (finding === null || (await lastBound(daemon, watched.terminal)) === finding.id) return
  trip('agents:before-audit')
  const { id, provenance } = finding
  const event = kind === 'rebind' ? 'rebind' : 'bind'
  await note(daemon, watched.terminal, { event, agent: seen.agent.id, id, provenance, why })
  trip('agents:audited')
}

async function noteRejections({ daemon, watched, seen }: Binding, { rejections }: Decision): Promise<void> {
  for (const { finding, why } of rejections) {
    const { id, provenance } = finding
    const said = `${seen.process.process.pid} ${id} ${why}`
    if (watched.said.has(said)) continue
    watched.said.add(said)
    await note(daemon, watched.terminal, { event: 'reject', agent: seen.agent.id, id, provenance, why })
  }
}
