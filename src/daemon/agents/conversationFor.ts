/** Which conversation a terminal's agent has, decided from what is seen and claimed at this moment. Pure. */
import { type Finding, PROVENANCES } from '../../agents/agent.ts'
import { isTyped, resumeArgv } from '../../agents/argv.ts'
import { type Decision, decide } from '../../agents/identity.ts'
import type { Conversation } from '../../workspace/terminal/resume.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Claims } from './claims.ts'
import { enteredAt, lastMove, type SeenAgent, type Watched } from './watched.ts'

type Deciding = { readonly claims: Claims; readonly watched: Watched; readonly seen: SeenAgent }

export function decisionFor({ claims, watched, seen }: Deciding, candidates: readonly Finding[], now: number): Decision {
  const { agent, bound: known, process } = seen
  const ids = candidates.map(({ id }) => id)
  const claimed = new Set(claims.ofOthers(watched.terminal, agent.id).keys())
  const had = claims.hadByOthers(watched.terminal, agent.id, ids)
  const began = newestOpen(candidates, new Set([...claimed, ...had])) ?? now
  const workingSince = lastMove(seen, began)?.at ?? null
  const rivals = claims.rivalsOf(watched, began)
  const moves = { workingSince, entered: enteredAt(seen), seenSince: watched.seenSince }
  const decision = decide({ agent, known, candidates, process, now, ...moves, rivals, claimed, had })
  return decision.finding === null ? decision : { ...decision, finding: bestWitness(decision.finding, candidates) }
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

/** What is kept of it: how it is resumed, and where its agent ran. */
export function restoreOf(seen: SeenAgent, { id, provenance }: Finding, { restore }: Pick<Terminal, 'restore'>): Conversation | null {
  const { agent, process, wrapper } = seen
  const place = { ...(process.cwd === null ? {} : { cwd: process.cwd }), env: process.env }
  // An agent that has written a title over its words was seen before it did: for the same conversation, what was seen then counts.
  if (!isTyped(process.process.argv) && restore.kind === 'conversation' && restore.agent === agent.id && restore.id === id)
    return { ...restore, provenance, ...place }
  const argv = resumeArgv(agent, { argv: process.process.argv, id })
  return argv === null ? null : { kind: 'conversation', agent: agent.id, id, provenance, argv, ...place, wrapper }
}
