import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import { goesOn } from '../support/agents/goesOn.ts'

for (const by of ['shell', 'command'] as const)
  eachAgent(
    `that a ${by} has started goes on with its conversation after a sleep, and after a kill -9 of daemon and holder`,
    (agent, bench) => goesOn(agent, bench, { by, args: ONE_PROCESS[agent] }),
  )
