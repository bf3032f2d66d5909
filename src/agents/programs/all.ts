/**
 * src/agents/programs: every agent that Holdfast knows, one file each, and the ones that the user describes (userAgents.ts). An agent
 * is a `plainAgent({ … })`; everything about it is in its file. To add an agent, add its file and its entry here.
 */
import type { Agent } from '../agent.ts'
import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { kilo, opencode } from './opencode.ts'
import { aider, amp, auggie, crush, cursor, droid, goose, grok } from './others.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'

export const AGENTS: readonly Agent[] = [
  ...[claude, codex, gemini, opencode],
  ...[qwen, copilot, kilo, pi, cline],
  ...[cursor, amp, auggie, droid, grok, crush, aider, goose],
]

export const agentNamed = (agents: readonly Agent[], id: string): Agent | null => agents.find((agent) => agent.id === id) ?? null
