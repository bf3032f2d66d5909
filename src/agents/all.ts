/** Every agent that Holdfast knows by itself. To add one is to add its object here. */
import type { Agent } from './agent.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { aider, amp, cline, copilot, crush, cursor, goose, grok, kilo, pi, qwen } from './others.ts'

export const AGENTS: readonly Agent[] = [
  ...[claude, codex, gemini, opencode],
  ...[qwen, copilot, kilo, pi, cline],
  ...[cursor, amp, grok, crush, aider, goose],
]

export const agentNamed = (agents: readonly Agent[], id: string): Agent | null => agents.find((agent) => agent.id === id) ?? null
