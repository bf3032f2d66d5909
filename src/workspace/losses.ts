/**
 * What would be lost if a terminal were put to sleep now, each as a few words without a full stop. A shell at its prompt, and
 * an agent that has nothing to do and whose conversation is known, lose nothing: they are found again as they were.
 */
import { type AgentState, type AtRest, isAtRest } from '../agents/state.ts'
import { isPlainShell } from './plainShell.ts'
import { argvFor, type Place, type Ways } from './resume.ts'
import { type RunningPlace, runningIn } from './running.ts'

export type BeforeSleep = {
  readonly place: Place
  readonly ways: Ways
  readonly private: boolean
  readonly agent: AgentBeforeSleep | null
  /** Null where nobody could see what runs. */
  readonly running: RunningPlace | null
  /** The program of a resume, where it will not be there any more; left out: it will. */
  readonly missing?: MissingProgram
}

export type MissingProgram = { readonly path: string; readonly why: 'removed' | 'temporary' }

export type AgentBeforeSleep = { readonly id: string; readonly label: string; readonly state: AgentState }

export const lossesOf = (seen: BeforeSleep): readonly string[] => [
  ...ofAgent(seen.agent),
  ...ofPrograms(seen.running),
  ...ofResume(seen),
  ...(seen.private ? ['it is private, so nothing of what it shows is kept'] : []),
]

/** An agent whose state is unknown may be in the middle of a turn. */
const BUSY: Readonly<Record<Exclude<AgentState, AtRest>, string>> = {
  working: 'is working',
  'needs-you': 'waits for your answer',
  unknown: 'may be working: its state is unknown',
}

function ofAgent(agent: AgentBeforeSleep | null): readonly string[] {
  return agent === null || isAtRest(agent.state) ? [] : [`${agent.label} ${BUSY[agent.state]}`]
}

/** Names beyond these are only counted. */
const MOST_NAMES = 3

/** What could not be seen may be there. */
function ofPrograms(running: RunningPlace | null): readonly string[] {
  if (running === null) return ['what runs in it cannot be seen']
  const names = runningIn(running)
  if (names.length === 0) return []
  const more = names.length - MOST_NAMES
  const shown = more > 0 ? [...names.slice(0, MOST_NAMES), `${more} more`] : names
  const last = shown.at(-1) ?? ''
  return shown.length === 1 ? [`${last} runs in it`] : [`${shown.slice(0, -1).join(', ')} and ${last} run in it`]
}

function ofResume({ place, ways, agent, missing }: BeforeSleep): readonly string[] {
  const { from, agent: resumed, unsure, isOpenChoice } = argvFor(place, 'resume', ways)
  if (unsure !== undefined) return [`it is not certain how to resume ${unsure.ran}: ${unsure.why}`]
  if (from === 'conversation' && missing !== undefined) return [missingText(missing)]
  if (
    agent !== null &&
    (isOpenChoice === true ||
      from === 'original' ||
      from === 'shell' ||
      from === 'new' ||
      (from === 'conversation' && resumed !== agent.id))
  )
    return [`the conversation of ${agent.label} is not known, so it cannot be resumed`]
  const { command, args } = place.spec
  return agent === null && from === 'original' && !isPlainShell([command, ...args])
    ? [`${nameOf(command)} would start from the beginning`]
    : []
}

const missingText = ({ path, why }: MissingProgram): string =>
  why === 'removed'
    ? `its program ${path} does not exist any more, so it cannot be resumed`
    : `its program ${path} is in a directory for temporary files, and may be gone when it is to be resumed`

const nameOf = (command: string): string => command.slice(command.lastIndexOf('/') + 1)

/** As they stand in a sentence. */
export const lossesText = (losses: readonly string[]): string => losses.join('; ')
