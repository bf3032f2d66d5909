/**
 * Which terminals could own the conversation that an agent itself would choose, such as the newest one of a directory. The
 * answer errs on the safe side: every terminal that has or had this agent, wherever it ran, because agents differ in which
 * directories they take for the same.
 */
import type { Agent } from '../agents/agent.ts'
import { agentOfCommand } from './resume.ts'
import type { Terminal } from './terminal.ts'

/** Their names, or ids where they have none. */
export const couldOwn = (agent: string, others: readonly Terminal[], agents: readonly Agent[]): readonly string[] =>
  others.filter((terminal) => agentsOf(terminal, agents).includes(agent)).map(({ id, name }) => name ?? id)

function agentsOf(terminal: Terminal, agents: readonly Agent[]): readonly string[] {
  const { restore, spec } = terminal
  const own = agentOfCommand(spec.command, agents)
  return [
    ...(own === null ? [] : [own.id]),
    ...(restore.kind === 'shell' ? [] : [restore.agent]),
    ...(terminal.state === 'live' && terminal.agent !== null ? [terminal.agent] : []),
  ]
}
