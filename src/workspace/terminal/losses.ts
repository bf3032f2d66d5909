/**
 * What would be lost if a terminal were put to sleep now, each as a few words without a full stop. A shell at its prompt, and
 * an agent that has nothing to do and whose conversation is known, lose nothing: they are found again as they were.
 */

import { baseName, commandName, scriptOf } from '../../agents/program.ts'
import { type AgentState, type AtRest, isAtRest } from '../../agents/state.ts'
import { isPlainShell } from '../command/plainShell.ts'
import { type Argv, argvFor, type Place, type Ways } from './resume.ts'
import { type RunningPlace, runningIn } from './running.ts'

export type BeforeSleep = {
  readonly place: Place
  readonly ways: Ways
  readonly private: boolean
  readonly agent: AgentBeforeSleep | null
  /** Null if the running programs cannot be seen. */
  readonly running: RunningPlace | null
  /** The program of a resume, where it will not be there any more; left out: it will. */
  readonly missing?: MissingProgram
}

export type MissingProgram = { readonly path: string; readonly why: 'removed' | 'temporary' }

type AgentBeforeSleep = { readonly id: string; readonly label: string; readonly state: AgentState }

export const lossesOf = (seen: BeforeSleep): readonly string[] => [
  ...ofAgent(seen.agent),
  ...ofPrograms(seen.running),
  ...ofResume(seen),
  ...(seen.private ? ['it is private, so its output is not kept'] : []),
]

/** An agent whose state is unknown may be in the middle of a turn. */
const BUSY: Readonly<Record<Exclude<AgentState, AtRest>, string>> = {
  working: 'is working',
  'needs-you': 'is waiting for your answer',
  unknown: 'may be working: its state is unknown',
}

function ofAgent(agent: AgentBeforeSleep | null): readonly string[] {
  return agent === null || isAtRest(agent.state) ? [] : [`${agent.label} ${BUSY[agent.state]}`]
}

/** Names beyond these are only counted. */
const MOST_NAMES = 3

/** What could not be seen may be there. */
function ofPrograms(running: RunningPlace | null): readonly string[] {
  if (running === null) return ['its running programs cannot be seen']
  const names = runningIn(running)
  if (names.length === 0) return []
  const more = names.length - MOST_NAMES
  const shown = more > 0 ? [...names.slice(0, MOST_NAMES), `${more} more`] : names
  const last = shown.at(-1) ?? ''
  return shown.length === 1
    ? [`${last} is running and would be ended`]
    : [`${shown.slice(0, -1).join(', ')} and ${last} are running and would be ended`]
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
    ? `its program ${path} no longer exists, so it cannot be resumed`
    : `its program ${path} is in a temporary directory, and may be gone later`

const nameOf = (command: string): string => command.slice(command.lastIndexOf('/') + 1)

/** As they stand in a sentence. */
export const lossesText = (losses: readonly string[]): string => losses.join('; ')

/** Whether the program of a resume will be found again: a package runner's cache, or a copy in /tmp, may be gone by then. */

export type Disk = {
  /** Absolute, or below the directory that the resume starts in. */
  readonly isThere: (path: string) => boolean
  /** PATH of the agent, and of the terminal's own program: a runner adds to the first what is gone with it. */
  readonly agentPath: string
  readonly terminalPath: string
  /** Directories for temporary files, each without a slash at its end. */
  readonly temporary: readonly string[]
}

export function missingProgram(
  { command, args, isWrapped }: Pick<Argv, 'command' | 'args' | 'isWrapped'>,
  disk: Disk,
): MissingProgram | null {
  const script = scriptOf([command, ...args])?.path
  const faults = [command, ...(script === undefined ? [] : [script])].map((word) => faultOf(word, disk, isWrapped === true))
  return faults.find((fault) => fault !== null) ?? null
}

function faultOf(word: string, disk: Disk, isWrapped: boolean): MissingProgram | null {
  const path = word.includes('/') ? word : foundIn(word, disk.agentPath, disk)
  // An agent that has moved is looked for by its name; what it ran in is not: another one of that name may do less.
  const isElsewhere = !(isWrapped && word.includes('/')) && foundIn(commandName(word), disk.terminalPath, disk) !== null
  if (isElsewhere) return null
  if (path === null || !disk.isThere(path)) return { path: path ?? baseName(word), why: 'removed' }
  return isTemporary(path, disk) ? { path, why: 'temporary' } : null
}

const foundIn = (name: string, path: string, { isThere }: Disk): string | null =>
  path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => `${folder.replace(/\/$/, '')}/${name}`)
    .find(isThere) ?? null

/** Caches of npx, uvx, pnpm dlx. */
const CACHES = /\/(?:_npx|uv\/archive-v\d+|pnpm\/dlx)\//

const isTemporary = (path: string, { temporary }: Disk): boolean =>
  CACHES.test(path) || temporary.some((folder) => path.startsWith(`${folder}/`))
