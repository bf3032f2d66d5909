/** The user has left an agent and is back in the shell: seen, not guessed from something that could not be seen. */
import { hintIn } from '../../agents/shown.ts'
import type { Live } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import { lastAgentEvent, note } from './agentAudit.ts'
import { bindPrinted } from './bind.ts'
import type { Claims } from './claims.ts'
import { processLook } from './nodeLook.ts'
import type { Sight } from './processLook.ts'
import { screenText } from './screenText.ts'
import type { Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

export type Leaving = { readonly daemon: AgentWorld; readonly claims: Claims; readonly watched: Watched; readonly sight: Sight }

export async function agentLeft(leaving: Leaving, { id, run, restore }: Live, agent: string): Promise<void> {
  const { daemon, watched } = leaving
  await heard(leaving, await screenText(daemon, run))
  const conversation = watched.agent?.bound?.id ?? (restore.kind === 'conversation' && restore.agent === agent ? restore.id : null)
  // The entry first, and only once: killed in between, the next daemon sees the same again.
  const last = await lastAgentEvent(daemon, id)
  trip('agents:before-left')
  if (last !== 'left')
    await note(daemon, id, {
      event: 'left',
      agent,
      id: conversation,
      provenance: null,
      why: 'its processes are gone and the shell has the keyboard',
    })
  trip('agents:left-noted')
  await daemon.registry.apply(id, { kind: 'agentLeft', run, agent })
  trip('agents:left-kept')
}

/** What an agent prints on leaving may name its conversation; what stood there when it came is another one's. */
export async function heard({ daemon, claims, watched, sight }: Leaving, text: string): Promise<void> {
  const seen = watched.agent
  const terminal = daemon.registry.byRun(watched.run)
  if (seen === null || terminal === null || terminal.private) return
  const id = hintIn(seen.agent, text)
  if (id === null || id === seen.oldHint || id === seen.bound?.id) return
  await bindPrinted({ daemon, claims, watched, seen }, processLook(seen.process, sight), id, Date.now())
}
