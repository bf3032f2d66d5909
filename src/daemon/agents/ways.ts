/** What is known of resuming beyond the record of a terminal: the user's table, the agents, the user's shell. */
import { AGENTS } from '../../agents/all.ts'
import type { Config } from '../../wire/config.ts'
import type { Ways } from '../../workspace/resume.ts'
import { shellOf } from '../program.ts'

type Inherited = Readonly<Record<string, string>>

export const waysOf = (config: Config, inherited: Inherited = {}): Ways => ({
  table: config.resume,
  agents: AGENTS,
  shell: shellOf(config, inherited),
})
