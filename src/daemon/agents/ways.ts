/** What is known of resuming beyond the record of a terminal: the user's table, the agents, the user's shell. */
import { isUserAgent } from '../../agents/programs/userAgents.ts'
import type { Config } from '../../wire/config/config.ts'
import type { ResumeTable, Ways } from '../../workspace/terminal/resume.ts'
import { shellOf } from '../base/programs.ts'

type Inherited = Readonly<Record<string, string>>

export const waysOf = (config: Config, inherited: Inherited = {}): Ways => ({
  table: tableOf(config),
  agents: config.agents,
  shell: shellOf(config, inherited),
})

/** What stands under [resume] wins over `latest` of an agent that the user describes. */
const tableOf = ({ resume, agents }: Config): ResumeTable => ({
  ...Object.fromEntries(agents.filter(isUserAgent).flatMap(({ id, latest }) => (latest === null ? [] : [[id, latest]]))),
  ...resume,
})
