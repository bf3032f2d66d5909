/** A conversation that the user names: by the agent's own id, resumed the way that the agent knows. */
import type { Agent } from '../../agents/agent.ts'
import { resumeArgv } from '../../agents/argv.ts'
import { agentNamed } from '../../agents/programs/all.ts'
import { commandText } from '../command/commandText.ts'
import { agentOfCommand, argvFor, type Conversation, type Place, resumes, type Unsure, type Ways } from '../terminal/resume.ts'
import { isGuest, type Terminal } from '../terminal/terminal.ts'
import { unlessInDoubt, type Wrapper } from '../wrapper/wrapper.ts'

/** Agents of which one conversation can be chosen. */
export const agentsByConversation = (agents: readonly Agent[]): readonly string[] =>
  agents.flatMap(({ id, resume }) => (resume === null ? [] : [id]))

type Chooser = { readonly agent: Agent; readonly argv: readonly string[]; readonly seen: Conversation | null }

/** The agent that would resume it, as it was started: the one that was seen here, else the terminal's own command. */
function chooserOf({ spec, restore }: Place, agents: readonly Agent[]): Chooser | null {
  const own = agentOfCommand(spec.command, agents)
  const seen = restore.kind === 'shell' ? null : agentNamed(agents, restore.agent)
  const agent = [seen, own].find((known) => known !== null && known.resume !== null) ?? null
  if (agent === null) return null
  if (agent === seen && restore.kind === 'conversation') return { agent, argv: restore.argv, seen: restore }
  return { agent, argv: agent === own ? [spec.command, ...spec.args] : [agent.id], seen: null }
}

/** Whose conversations can be chosen here; null where its program is not known to resume by an id. */
export const chooses = (terminal: Place, agents: readonly Agent[]): Agent | null => chooserOf(terminal, agents)?.agent ?? null

/** Null when its program is not known to resume by an id, or the id cannot be one of it. */
export function chosenConversation(terminal: Place, id: string, agents: readonly Agent[]): Conversation | null {
  const chooser = chooserOf(terminal, agents)
  if (chooser === null || !isConversationId(id)) return null
  const { agent, seen } = chooser
  const argv = resumeArgv(agent, { argv: chooser.argv, id })
  if (argv === null) return null
  const { cwd, env } = seen ?? {}
  const wrapper = wrapperOf(terminal, agent) ?? doubted(agent, chooser.argv)
  const place = {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(wrapper === undefined ? {} : { wrapper }),
  }
  return { kind: 'conversation', agent: agent.id, id, provenance: 'user', argv, ...place }
}

/** Of an agent that was not seen only the terminal's command tells what it was started with. */
function doubted(agent: Agent, argv: readonly string[]): Wrapper | undefined {
  const wrapper = unlessInDoubt({ kind: 'none' }, { agent, argv, hasWords: true })
  return wrapper.kind === 'none' ? undefined : wrapper
}

/** What the agent ran in here, also if it was left since: another conversation of it is not resumed with less around it. */
function wrapperOf({ restore }: Place, { id }: Agent): Wrapper | undefined {
  return (restore.kind === 'conversation' || restore.kind === 'quit') && restore.agent === id ? restore.wrapper : undefined
}

/** A letter or digit first: what begins with a dash is an option, and no id is one. */
export const isConversationId = (id: string): boolean => /^[A-Za-z0-9][\w.:-]{0,127}$/.test(id)

/** How a terminal that sleeps can be woken, as texts to be read. */

type Offers = {
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

/**
 * Which terminals could own the conversation that an agent itself would choose, such as the newest one of a directory. The
 * answer errs on the safe side: every terminal that has or had this agent, wherever it ran, because agents differ in which
 * directories they take for the same.
 */

/** Their names, or ids where they have none. */
export const couldOwn = (agent: string, others: readonly Terminal[], agents: readonly Agent[]): readonly string[] =>
  others.filter((terminal) => agentsOf(terminal, agents).includes(agent)).map(({ id, name }) => name ?? id)

function agentsOf(terminal: Terminal, agents: readonly Agent[]): readonly string[] {
  const { restore, spec } = terminal
  const own = agentOfCommand(spec.command, agents)
  return [
    ...(own === null ? [] : [own.id]),
    ...(restore.kind === 'shell' ? [] : [restore.agent]),
    ...(terminal.state === 'live' && terminal.agent !== null ? [terminal.agent] : []),
  ]
}
