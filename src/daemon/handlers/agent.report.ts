import { hookFact } from '../../agents/hooks/hookEvent.ts'
import type { Handler } from '../connection.ts'
import { findLive } from '../find.ts'

/** A hook is believed only if it runs below the terminal's own agent, which is looked up from its pid. */
export const reportAgent: Handler<'agent.report'> = async (daemon, { terminal: ref, agent, event, payload, reporter }) => {
  const found = findLive(daemon, ref)
  if (!found.ok) return found
  const fact = hookFact(event, payload, Date.now())
  if (fact === null) return { ok: true, result: { taken: false, why: 'it is about an agent inside the agent' } }
  const verdict = await daemon.agents.hookReport({ terminal: found.value.id, agent, reporter, ...fact })
  return { ok: true, result: verdict.ok ? { taken: true, why: null } : { taken: false, why: verdict.why } }
}
