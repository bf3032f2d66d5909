/** Everything that says, at this moment, which conversation a root agent has. */
import type { Finding, Look, Provenance } from '../../agents/agent.ts'
import { launchedWith } from '../../agents/argv.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { mayBeInside, type SeenAgent } from './watched.ts'

/** What is read from the running process itself, and therefore true now. */
const LIVE: ReadonlySet<Provenance> = new Set(['registration', 'open-file'])
/** A hook speaks at once and a file follows; beyond this the file is the newer one: a hook did not fire. */
const HOOK_AHEAD_MS = 2_000

export async function candidatesFor(seen: SeenAgent, look: Look, card: HolderCard | null, now: number): Promise<readonly Finding[]> {
  const found = (await seen.agent.findings(look)).filter((finding) => !isOthers(seen, finding))
  const live = found.filter(({ provenance }) => LIVE.has(provenance))
  const hook = seen.hook !== null && (agrees(live, seen.hook.finding.id) || now - seen.hook.at < HOOK_AHEAD_MS) ? [seen.hook.finding] : []
  return [...(await assigned(seen, look, { card, told: [...hook, ...live] })), ...hook, ...found]
}

/** A directory does not tell who began a conversation in it: an agent that this one has started may have. */
const isOthers = (seen: SeenAgent, { provenance, id, began }: Finding): boolean =>
  provenance === 'store' && began !== null && id !== seen.bound?.id && mayBeInside(seen, began)

const agrees = (live: readonly Finding[], id: string): boolean => live.length === 0 || live.some((finding) => finding.id === id)

type AssignedBy = { readonly card: HolderCard | null; readonly told: readonly Finding[] }

/** The id that we gave it at its start. Its arguments still hold it when it has begun another one: then it says so otherwise. */
async function assigned({ agent, process }: SeenAgent, look: Look, { card, told }: AssignedBy): Promise<readonly Finding[]> {
  const launched = launchedWith(agent, process.process.argv)
  if (launched?.provenance !== 'assigned' || !isOurs(card, launched.id) || !agrees(told, launched.id)) return []
  const { id } = launched
  const transcript = await agent.transcript(look, id)
  return [{ id, provenance: 'assigned', transcript: transcript.kind === 'there' ? transcript.path : null, began: process.startedAt }]
}

/** Whoever types such an argument himself has it told by the agent, like everything else. */
const isOurs = (card: HolderCard | null, id: string): boolean => card?.args.some((arg) => arg.includes(id)) ?? false
