/**
 * Which agent has the keyboard of a terminal. What counts is the tree of processes, not the first word of a command:
 * wrappers stand above an agent, its tools and the agents that it starts itself below it.
 */
import type { Agent, ProcessSight } from './agent.ts'
import { argsOf, isConversation } from './argv.ts'
import { baseName, commandName, scriptOf } from './program.ts'

export type Recognised = { readonly agent: Agent; readonly process: ProcessSight; readonly pids: readonly number[] }

/** The terminal's root agent: of those in or above the foreground group the one nearest to the root; null where there is none. */
export function recognise(
  processes: readonly ProcessSight[],
  foregroundGroup: number,
  root: number,
  agents: readonly Agent[],
): Recognised | null {
  const tree = treeOf(processes, root)
  for (const process of inFront(tree, foregroundGroup)) {
    const agent = agentOfProcess(process, agents)
    if (agent === null) continue
    // What it starts in turn is its own affair, even if it is no conversation itself.
    if (!isConversation(agent, argsOf(agent, process.argv))) return null
    return { agent, process, pids: ownPids(tree, process, agent) }
  }
  return null
}

/** By the executable or what it calls itself, then by the script that an interpreter runs. */
export function agentOfProcess(process: ProcessSight, agents: readonly Agent[]): Agent | null {
  const { executable, argv, name } = process
  const [first = ''] = argv
  const own = [executable, first, name].flatMap((text) => (text === null || text === '' ? [] : [commandName(text)]))
  const script = scriptOf(argv)
  const paths = [executable, script?.path].flatMap((path) => path ?? [])
  const byName = (names: readonly string[]) => agents.find(({ recognise: { names: known } }) => names.some((one) => known.includes(one)))
  return (
    byName(own) ??
    (script === null ? undefined : byName([commandName(script.path)])) ??
    agents.find((agent) => agent.recognise.paths.some((part) => paths.some((path) => path.includes(part)))) ??
    null
  )
}

type Tree = {
  /** Root first, each parent before its children. */
  readonly ordered: readonly ProcessSight[]
  readonly byPid: ReadonlyMap<number, ProcessSight>
}

function treeOf(processes: readonly ProcessSight[], root: number): Tree {
  const top = processes.find(({ pid }) => pid === root)
  const ordered = top === undefined ? [] : [top]
  const seen = new Set([root])
  // Grows while it is walked; a pid is taken once, so that a circle ends.
  for (const { pid } of ordered) {
    for (const child of processes) {
      if (child.parent !== pid || seen.has(child.pid)) continue
      seen.add(child.pid)
      ordered.push(child)
    }
  }
  return { ordered, byPid: new Map(ordered.map((process) => [process.pid, process])) }
}

function inFront({ ordered, byPid }: Tree, foregroundGroup: number): readonly ProcessSight[] {
  const pids = new Set<number>()
  for (const process of ordered) if (process.group === foregroundGroup) addWithAncestors(pids, process, byPid)
  const behindMakers = new Set<number>()
  for (const process of ordered) {
    const parent = byPid.get(process.parent)
    if (parent === undefined || process.pid === ordered[0]?.pid) continue
    const isFirst = pids.has(parent.pid) && isTerminalMaker(parent)
    // In the very session that the terminal maker has made: others below are tools.
    if (isFirst || (behindMakers.has(parent.pid) && process.session === parent.session)) behindMakers.add(process.pid)
  }
  return ordered.filter(({ pid }) => pids.has(pid) || behindMakers.has(pid))
}

function addWithAncestors(pids: Set<number>, process: ProcessSight, byPid: Tree['byPid']): void {
  for (let at: ProcessSight | undefined = process; at !== undefined && !pids.has(at.pid); at = byPid.get(at.parent)) pids.add(at.pid)
}

/** They hand the keyboard on to a terminal of their own making, in which their child has a session of its own. */
const TERMINAL_MAKERS = new Set(['script', 'sudo', 'doas', 'su', 'unbuffer', 'asciinema', 'faketty'])

const isTerminalMaker = ({ name, argv: [first = ''] }: ProcessSight): boolean =>
  TERMINAL_MAKERS.has(baseName(name)) || TERMINAL_MAKERS.has(baseName(first))

/** A wrapper and the real one are the same agent in the same group, one below the other. */
function ownPids({ ordered }: Tree, process: ProcessSight, agent: Agent): readonly number[] {
  const pids = new Set([process.pid])
  for (const below of ordered) {
    if (!pids.has(below.parent) || below.group !== process.group) continue
    if (agentOfProcess(below, [agent]) !== null && isConversation(agent, argsOf(agent, below.argv))) pids.add(below.pid)
  }
  return [...pids]
}
