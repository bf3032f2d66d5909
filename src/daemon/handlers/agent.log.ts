import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { agentLog } from '../agents/agentAudit.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'

const USUAL_LIMIT = 200

export const logOfAgents: Handler<'agent.log'> = async (daemon, { terminal, limit = USUAL_LIMIT }) => {
  const found = find(daemon, terminal)
  if (!found.ok) return found
  try {
    return { ok: true, result: [...(await agentLog(daemon, found.value.id, limit))] }
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
}
