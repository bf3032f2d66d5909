/** The processes of a terminal that is about to be put to sleep: everything that would end with it. */
import { type Processes, type ProcessInfo, systemProcesses, treeOf } from '../../holder/processes.ts'
import type { RunningPlace, RunningProcess } from '../../workspace/running.ts'
import type { Live } from '../../workspace/terminal.ts'
import type { Sight } from '../agents/processLook.ts'
import type { Daemon } from '../daemon.ts'

const PROCESSES: Processes = systemProcesses()

/** Everybody on the machine. */
export const processesNow = (): Promise<readonly ProcessInfo[]> => PROCESSES.list()

/** Its holder too. */
export const pidsOf = ({ pid, holderPid }: Live, everybody: readonly ProcessInfo[]): readonly number[] => [
  ...treeOf(everybody, pid).map((process) => process.pid),
  holderPid,
]

/** Null where they cannot be seen. */
export async function runningPlaceOf(daemon: Daemon, { run, pid }: Live): Promise<RunningPlace | null> {
  const tree = treeOf(await processesNow(), pid)
  if (!tree.some((process) => process.pid === pid)) return null
  const processes = await daemon.agents.withSight((sight) => Promise.all(tree.map((info) => runningProcess(info, sight))))
  return { processes, root: pid, agent: daemon.agents.of(run)?.pids ?? [] }
}

async function runningProcess(info: ProcessInfo, sight: Sight): Promise<RunningProcess> {
  const { pid, parent, session, name } = info
  const argv = (await sight.find(pid))?.argv ?? []
  return { pid, parent, session, name, argv, startedAt: sight.startedAt(info) }
}
