/** What is known of a terminal before its program is ended, so that whoever finds it asleep knows what it was about. */
import { agentNamed } from '../../agents/all.ts'
import type { Live, SleepContext } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { directoryOf } from '../directoryOf.ts'
import { memoryOf } from './memory.ts'
import { pullRequestOf } from './pullRequest.ts'
import { pidsOf } from './tree.ts'

/** A repository that is not known by then is not worth holding up a sleep. */
const REPOSITORY_WITHIN_MS = 150

/** What cannot be found out is null; nothing here keeps a terminal from its sleep. */
export async function sleepContextOf(daemon: Daemon, terminal: Live, options: { readonly asksGh: boolean }): Promise<SleepContext> {
  const [place, freedBytes] = await Promise.all([placeOf(daemon, terminal, options), freedBy(terminal)])
  return { ...place, agent: agentOf(daemon, terminal), freedBytes }
}

async function placeOf(daemon: Daemon, terminal: Live, { asksGh }: { readonly asksGh: boolean }) {
  await daemon.checkpoints.lookAt(terminal)
  const directory = directoryOf(terminal, daemon)
  await daemon.repositories.know([directory], REPOSITORY_WITHIN_MS)
  const branch = daemon.repositories.of(directory)?.view.branch ?? null
  const pullRequest = asksGh && branch !== null ? await pullRequestOf(directory) : null
  return { directory, branch, pullRequest }
}

const freedBy = async (terminal: Live): Promise<number | null> => {
  try {
    return await memoryOf(await pidsOf(terminal))
  } catch {
    return null // what the system does not tell
  }
}

function agentOf({ agents, config }: Daemon, { run }: Live): string | null {
  const inFront = agents.of(run)
  return inFront === null ? null : (agentNamed(config.agents, inFront.agent)?.label ?? inFront.agent)
}
