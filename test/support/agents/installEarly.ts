import process from 'node:process'
import { AGENT_NAMES, agentCache, installAgent } from './installAgents.ts'

const AT_ONCE = 2 // unpacking takes a core each, and the tests that run meanwhile want some too

/** Before the first test: agents are installed while others run, so that those who need them seldom wait. */
export function setup(): (() => Promise<void>) | undefined {
  const named = process.argv.filter((word) => word.endsWith('.test.ts'))
  if (named.length > 0 && !named.some((word) => word.includes('agents'))) return undefined
  const stop = new AbortController()
  const left = [...AGENT_NAMES]
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
