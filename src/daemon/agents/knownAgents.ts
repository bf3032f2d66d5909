import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/all.ts'

export const knownAgents = (): readonly Agent[] => AGENTS
