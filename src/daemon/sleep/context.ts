/** What is known of a terminal before its program is ended, so that whoever finds it asleep knows what it was about. */
import { agentNamed } from '../../agents/programs/all.ts'
import { type ProcessInfo, treeOf } from '../../holder/processes.ts'
import { isGuest, type Live, type SleepContext } from '../../workspace/terminal/terminal.ts'
import { directoryOf } from '../terminals/directoryOf.ts'
import { processesNow } from './losses.ts'
import { memoryOf } from './memory.ts'
import { PullRequests } from './pullRequest.ts'
import type { SleepWorld } from './world.ts'

type Gathering = { readonly everybody: readonly ProcessInfo[]; readonly asksGh: boolean }

/** A repository that is not known by then is not worth holding up a sleep. */
const REPOSITORY_WITHIN_MS = 150

const PULL_REQUESTS = new PullRequests()

/** What cannot be found out is null; nothing here keeps a terminal from its sleep. */
export async function sleepContextOf(daemon: SleepWorld, terminal: Live, options: Gathering): Promise<SleepContext> {
  // A guest goes on: nothing is freed.
  const freed = isGuest(terminal) ? null : memoryOf(pidsOf(terminal, options.everybody))
  const [place, freedBytes] = await Promise.all([placeOf(daemon, terminal, options), freed])
  return { ...place, agent: agentOf(daemon, terminal), freedBytes }
}

/** Of many at once. Nobody waits for `gh` then. */
export async function sleepContextsOf(daemon: SleepWorld, terminals: readonly Live[]): Promise<readonly SleepContext[]> {
  const everybody = await processesNow()
  return await Promise.all(terminals.map((terminal) => sleepContextOf(daemon, terminal, { everybody, asksGh: false })))
}

async function placeOf(daemon: SleepWorld, terminal: Live, { asksGh }: Gathering) {
  await daemon.checkpoints.lookAt(terminal)
  const directory = directoryOf(terminal, daemon)
  await daemon.repositories.know([directory], REPOSITORY_WITHIN_MS)
  const found = daemon.repositories.of(directory)
  const branch = found?.view.branch ?? null
  const isAsked = asksGh && daemon.config.repositories.pullRequests && found !== null && branch !== null
  return { directory, branch, pullRequest: isAsked ? await PULL_REQUESTS.of(found) : null }
}

function agentOf({ agents, config }: SleepWorld, { run }: Live): string | null {
  const inFront = agents.of(run)
  return inFront === null ? null : (agentNamed(config.agents, inFront.agent)?.label ?? inFront.agent)
}

/** Its holder too. */
const pidsOf = ({ pid, holderPid }: Live, everybody: readonly ProcessInfo[]): readonly number[] => [
  ...treeOf(everybody, pid).map((process) => process.pid),
  holderPid,
]
