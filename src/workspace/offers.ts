/** How a terminal that sleeps can be woken, as texts to be read. */
import type { Agent } from '../agents/agent.ts'
import { agentNamed } from '../agents/all.ts'
import { assertNever } from '../base/assertNever.ts'
import { chooses } from './chosenConversation.ts'
import { commandText } from './commandText.ts'
import { type Argv, argvFor, type Place, resumes, type Unsure, type Ways } from './resume.ts'
import { NEWEST_WORDS } from './startedFrom.ts'
import { isGuest } from './terminal.ts'

export type Offers = {
  /** The command line of a resume; null where it is the same as that of a fresh start. */
  readonly resume: string | null
  /** Where that may leave out something that the agent was started with. The user chooses. */
  readonly unsure?: Unsure
  /** What a resume goes on with, in words; null where only its command line tells. */
  readonly goesOnWith: string | null
  /** Whether another conversation can be chosen by its id. */
  readonly conversation: boolean
  readonly fresh: string
}

export function offersOf(terminal: Place, ways: Ways): Offers {
  const fresh = commandText(terminal.spec.command, terminal.spec.args)
  if (isGuest(terminal)) return { resume: null, goesOnWith: null, conversation: false, fresh } // it is shown again, not started
  const argv = argvFor(terminal, 'resume', ways)
  const isOther = resumes(argv, terminal) || argv.from === 'shell'
  return {
    resume: isOther ? commandText(argv.command, argv.args) : null,
    ...(argv.unsure === undefined ? {} : { unsure: argv.unsure }),
    goesOnWith: isOther ? wordsOf(terminal, argv, ways.agents) : null,
    conversation: chooses(terminal, ways.agents) !== null,
    fresh,
  }
}

function wordsOf({ restore }: Place, { from, agent }: Argv, agents: readonly Agent[]): string | null {
  const label = agent === null ? '' : (agentNamed(agents, agent)?.label ?? agent)
  switch (from) {
    case 'conversation':
      return `${label}, conversation ${restore.kind === 'conversation' ? restore.id : ''}`
    case 'latest':
      return `${label}, ${NEWEST_WORDS}`
    case 'shell':
      return 'a shell: the agent was left'
    case 'table':
    case 'original':
      return null
  }
  return assertNever(from)
}
