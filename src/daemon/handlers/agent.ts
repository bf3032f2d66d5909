/** Agents: which ones are installed, what was decided about those in terminals, and what their hooks report. */
import { hookFact } from '../../agents/hooks/hookEvent.ts'
import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { agentLog } from '../agents/agentAudit.ts'
import { findInstalled } from '../agents/installed.ts'
import { PATIENCE } from '../places/patience.ts'
import { find, findLive } from '../terminals/find.ts'
import type { Handlers, Of, Parts } from './world.ts'

const USUAL_LIMIT = 200

type World = Pick<Parts, 'agents' | 'config' | 'registry'> & Parameters<typeof agentLog>[0]

export const agentHandlers: Handlers<Of<'agent'>, World> = {
  /** Looked for in the daemon's own PATH: a terminal without an environment of its client gets that one. */
  'agent.installed': async ({ config }) => {
    const asked = await PATIENCE.ask(() => findInstalled(config.agents, process.env['PATH'] ?? ''))
    return { ok: true, result: asked.kind === 'answer' ? asked.value : [] }
  },

  'agent.log': async (daemon, { terminal, limit = USUAL_LIMIT }) => {
    const found = find(daemon, terminal)
    if (!found.ok) return found
    try {
      return { ok: true, result: [...(await agentLog(daemon, found.value.id, limit))] }
    } catch (error) {
      return refused(refusals.diskFailed(systemReason(error)))
    }
  },

  /** A hook is believed only if its process, looked up from its pid, is below the terminal's own agent. */
  'agent.report': async (daemon, { terminal: ref, agent, event, payload, reporter }) => {
    const found = findLive(daemon, ref)
    if (!found.ok) return found
    const fact = hookFact(event, payload, Date.now())
    if (fact === null) return { ok: true, result: { taken: false, why: 'it is about an agent inside the agent' } }
    const verdict = await daemon.agents.hookReport({ terminal: found.value.id, agent, reporter, ...fact })
    return { ok: true, result: verdict.ok ? { taken: true, why: null } : { taken: false, why: verdict.why } }
  },
}
