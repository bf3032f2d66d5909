/** What is known of resuming beyond the record of a terminal: the user's table, the agents, the user's shell. */
import { isUserAgent } from '../../agents/userAgents.ts'
import type { Config } from '../../wire/config.ts'
import { DEFAULT_RESUME, type ResumeTable, type Ways } from '../../workspace/resume.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import { shellOf } from '../program.ts'

type Inherited = Readonly<Record<string, string>>

export const waysOf = (config: Config, inherited: Inherited = {}): Ways => ({
  table: tableOf(config),
  agents: config.agents,
  shell: shellOf(config, inherited),
})

/** What stands under [resume] wins over an agent that the user describes, and that over what is built in. */
function tableOf({ resume, agents }: Config): ResumeTable {
  const own = agents.filter(isUserAgent).flatMap(({ id, latest }): (readonly [string, readonly string[]])[] => {
    const isGiven = !sameValue(resume[id], DEFAULT_RESUME[id])
    return latest === null || isGiven ? [] : [[id, latest]]
  })
  return { ...resume, ...Object.fromEntries(own) }
}
