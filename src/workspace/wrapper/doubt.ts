/**
 * A command line of an agent that can be read in more than one way is not run again unless the user chooses: it is treated
 * like a wrapper that is not certain.
 */
import type { Agent } from '../../agents/agent.ts'
import { argsOf, doubtOf } from '../../agents/argv.ts'
import { lineText, unsureOf } from './lineText.ts'
import type { Wrapper } from './wrapper.ts'

export type Started = {
  readonly agent: Agent
  /** The agent's own command line. */
  readonly argv: readonly string[]
  /** Whether the system tells the words of a command line apart. */
  readonly hasWords: boolean
}

export function unlessInDoubt(wrapper: Wrapper, { agent, argv, hasWords }: Started): Wrapper {
  const why = wrapper.kind === 'unsure' ? null : doubtOf(agent, argv, { hasWords })
  if (why === null) return wrapper
  if (wrapper.kind !== 'line') return unsureOf(argv)(why)
  const line = [...wrapper.before, ...(wrapper.text?.words ?? []), ...argsOf(agent, argv)]
  return { kind: 'unsure', ran: lineText(line), why, inside: wrapper }
}
