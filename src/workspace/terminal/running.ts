/**
 * Which programs run in a terminal beside what it is made for: what its shell has started, in front or behind, and what its
 * agent has started since it began. What came with an agent or with any other program, such as the servers of its tools,
 * belongs to it.
 */

import type { ProcessSight } from '../../agents/agent.ts'
import { baseName, scriptOf } from '../../agents/program.ts'
import { commandText } from '../command/commandText.ts'
import { isPlainShell } from '../command/plainShell.ts'
import { safeText } from '../text.ts'

export type RunningProcess = {
  readonly pid: number
  readonly parent: number
  readonly session: string
  readonly name: string
  readonly argv: readonly string[]
  /** In ms. */
  readonly startedAt: number
}

export type RunningPlace = {
  /** Everything that has to do with the terminal's program, itself included. */
  readonly processes: readonly RunningProcess[]
  /** The terminal's program. */
  readonly root: number
  /** All that are the agent in front; none where there is none. */
  readonly agent: readonly number[]
}

/** Servers of an agent's tools are there within seconds; what it starts for the user comes later. */
export const COMES_WITH_IT_MS = 30_000

/** What prompts of shells, and agents that keep a machine awake, have running beside them. */
const HELPERS = /^(?:gitstatusd|caffeinate$)/

/** Their names, the topmost of each tree only, each once. */
export function runningIn(place: RunningPlace): readonly string[] {
  const byPid = new Map(place.processes.map((process) => [process.pid, process]))
  const own = ownOf(place, byPid)
  const others = place.processes.filter((process) => !own.has(process.pid) && !HELPERS.test(nameOf(process)))
  const programs = others.filter((process) => isProgram(process, { place, byPid }))
  const pids = new Set(programs.map(({ pid }) => pid))
  const topmost = programs.filter((process) => !ancestorsOf(process, byPid).some(({ pid }) => pids.has(pid)))
  return [...new Set(topmost.map(nameOf))]
}

type ByPid = ReadonlyMap<number, RunningProcess>

/** The terminal's program, its agent, and what stands between them: wrappers such as npx. */
function ownOf({ root, agent }: RunningPlace, byPid: ByPid): ReadonlySet<number> {
  const own = new Set([root, ...agent])
  for (const pid of agent) for (const above of ancestorsOf(byPid.get(pid), byPid)) own.add(above.pid)
  return own
}

function isProgram(process: RunningProcess, { place, byPid }: { readonly place: RunningPlace; readonly byPid: ByPid }): boolean {
  const root = byPid.get(place.root)
  const above = ancestorsOf(process, byPid)
  const agent = above.find(({ pid }) => place.agent.includes(pid))
  if (agent !== undefined) return isLater(process, oldestOf(place.agent, byPid) ?? agent)
  if (root === undefined) return !isPlainShell(process.argv)
  const startsPrograms = place.agent.length > 0 || isPlainShell(root.argv)
  if (!startsPrograms) return isLater(process, root)
  // A process with a session of its own survives the terminal.
  return process.session === root.session && !isPlainShell(process.argv)
}

const isLater = ({ startedAt }: RunningProcess, owner: RunningProcess): boolean => startedAt > owner.startedAt + COMES_WITH_IT_MS

const oldestOf = (pids: readonly number[], byPid: ByPid): RunningProcess | undefined =>
  pids.flatMap((pid) => byPid.get(pid) ?? []).toSorted((a, b) => a.startedAt - b.startedAt)[0]

/** The nearest first; a circle ends. */
function ancestorsOf(process: RunningProcess | undefined, byPid: ByPid): readonly RunningProcess[] {
  const above: RunningProcess[] = []
  for (let at = byPid.get(process?.parent ?? 0); at !== undefined && !above.includes(at); at = byPid.get(at.parent)) above.push(at)
  return above
}

/** As people know it: the script where an interpreter runs one, without what a program wrote behind its name. */
function nameOf({ name, argv }: RunningProcess): string {
  const path = scriptOf(argv)?.path ?? argv[0] ?? ''
  return baseName(path.split(' ')[0] ?? '').replace(/^-/, '') || name
}

/** What runs in a terminal, as far as that can be seen: what would be lost if it ended. */
export type Running = {
  /** What has the keyboard, as a command line to be read; null where that is a shell at its prompt. */
  readonly program: string | null
  /** How many processes there are besides that and the shell it was started from. */
  readonly others: number
}

export type Sighting = {
  /** The terminal's program and all its descendants. */
  readonly processes: readonly ProcessSight[]
  readonly root: number
  /** The process group that has the keyboard. */
  readonly group: number
}

const LONGEST_PROGRAM = 120
/** Shell prompts keep these helpers running; ending them loses nothing. */
const PROMPT_HELPER = /^(gitstatusd|starship)/

export function whatRuns({ processes, root, group }: Sighting): Running {
  const top = processes.find(({ pid }) => pid === root)
  const front = processes.find(({ pid }) => pid === group) ?? processes.find((process) => process.group === group) ?? top
  const isWorth = (process: ProcessSight): boolean => process.pid !== root && process.pid !== front?.pid && !isOfPrompt(process, top)
  const isAtPrompt = front === undefined || (front.pid === root && isPlainShell(front.argv))
  return { program: isAtPrompt ? null : textOf(front), others: processes.filter(isWorth).length }
}

/** A copy of the shell itself that draws its prompt in the background has its very command line. */
function isOfPrompt({ name, argv }: ProcessSight, top: ProcessSight | undefined): boolean {
  if (PROMPT_HELPER.test(baseName(argv[0] ?? name))) return true
  return top !== undefined && isPlainShell(top.argv) && argv.join('\0') === top.argv.join('\0')
}

function textOf({ name, argv: [command = name, ...args] }: ProcessSight): string {
  return safeText(commandText(baseName(command), args), LONGEST_PROGRAM)
}
