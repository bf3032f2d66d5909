/** Real agents with flags that restrict them: every one is there again after a sleep. */
import { expect } from 'vitest'
import { eachAgent } from '../support/agents/eachAgent.ts'
import { keepsRestrictions } from '../support/agents/restricted.ts'

eachAgent('wakes with the restrictions that it was started with, twice', async (agent, bench) => {
  await keepsRestrictions(bench, agent, { by: 'shell', wakes: 2, name: 'restricted' })
  expect(bench.model.turns().map(({ marks }) => marks.at(-1))).toEqual(['ONE', 'TWO', 'THREE'])
})
