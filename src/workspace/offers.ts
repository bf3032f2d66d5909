/** How a terminal that sleeps can be woken, as texts to be read. */
import { chooses } from './chosenConversation.ts'
import { commandText } from './commandText.ts'
import { argvFor, type Place, resumes, type Unsure, type Ways } from './resume.ts'
import { isGuest } from './terminal.ts'

export type Offers = {
  /** The command line of a resume; null where it is the same as that of a fresh start. */
  readonly resume: string | null
  /** Where that may leave out something that the agent was started with. The user chooses. */
  readonly unsure?: Unsure
  /** Whether another conversation can be chosen by its id. */
  readonly conversation: boolean
  readonly fresh: string
}

export function offersOf(terminal: Place, ways: Ways): Offers {
  const fresh = commandText(terminal.spec.command, terminal.spec.args)
  if (isGuest(terminal)) return { resume: null, conversation: false, fresh } // it is shown again, not started
  const argv = argvFor(terminal, 'resume', ways)
  const resume = commandText(argv.command, argv.args)
  return {
    resume: resumes(argv, terminal) || resume !== fresh ? resume : null,
    ...(argv.unsure === undefined ? {} : { unsure: argv.unsure }),
    conversation: chooses(terminal, ways.agents) !== null,
    fresh,
  }
}
