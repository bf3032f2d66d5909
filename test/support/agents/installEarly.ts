import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { AGENT_NAMES, type AgentName, agentCache, installAgent } from './installAgents.ts'

const AT_ONCE = 2 // unpacking takes a core each, and the tests that run meanwhile want some too
/** Those of `test/e2e`: hundreds of megabytes that nobody starts are not unpacked beside everything else. */
const OF_E2E: readonly AgentName[] = ['claude', 'codex']

/** Before the first test: agents are installed while others run, so that those who need them seldom wait. */
export function setup({ name }: TestProject): (() => Promise<void>) | undefined {
  const named = process.argv.filter((word) => word.endsWith('.test.ts'))
  if (named.length > 0 && !named.some((word) => word.includes('agents'))) return undefined
  const stop = new AbortController()
  const only = (process.env['AGENTS_ONLY'] ?? '').split(',').filter((agent) => agent !== '')
  const left = name === 'e2e' ? [...OF_E2E] : AGENT_NAMES.filter((agent) => only.length === 0 || only.includes(agent))
  const work = async (): Promise<void> => {
    for (let agent = left.shift(); agent !== undefined && !stop.signal.aborted; agent = left.shift())
      await installAgent(agent, { cache: agentCache(), signal: stop.signal })
  }
  const working = Promise.all(Array.from({ length: AT_ONCE }, work))
  return async () => {
    stop.abort()
    await working
  }
}
