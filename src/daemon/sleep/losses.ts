/** What a terminal would lose if it were put to sleep now, as far as its processes show. `workspace/terminal/losses.ts` decides. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { type Processes, type ProcessInfo, systemProcesses, treeOf } from '../../holder/processes.ts'
import { lossesOf, type MissingProgram, missingProgram } from '../../workspace/terminal/losses.ts'
import { argvFor } from '../../workspace/terminal/resume.ts'
import type { RunningPlace, RunningProcess } from '../../workspace/terminal/running.ts'
import { isGuest, type Live } from '../../workspace/terminal/terminal.ts'
import type { Sight } from '../agents/processLook.ts'
import { waysOf } from '../agents/ways.ts'
import type { SleepWorld } from './world.ts'

const PROCESSES: Processes = systemProcesses()

/** All processes of the machine. */
export const processesNow = (): Promise<readonly ProcessInfo[]> => PROCESSES.list()

export async function lossesOfLive(daemon: SleepWorld, terminal: Live): Promise<readonly string[]> {
  if (isGuest(terminal)) return [] // it goes on in its own tmux
  const running = await runningPlaceOf(daemon, terminal)
  const agent = daemon.agents.shown(terminal.run)
  const missing = await missingNow(daemon, terminal)
  return lossesOf({
    place: terminal,
    ways: waysOf(daemon.config),
    private: terminal.private,
    agent: agent === null ? null : { id: agent.name, label: agent.label, state: agent.state },
    running,
    ...(missing === null ? {} : { missing }),
  })
}

/** Null where its processes cannot be seen. */
async function runningPlaceOf(daemon: SleepWorld, { run, pid }: Live): Promise<RunningPlace | null> {
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

/** The program with which the agent in front would be resumed, if it will not be there; null also where that cannot be seen. */
async function missingNow(daemon: SleepWorld, terminal: Live): Promise<MissingProgram | null> {
  const process = daemon.agents.of(terminal.run)
  const argv = argvFor(terminal, 'resume', waysOf(daemon.config))
  if (process === null || argv.from !== 'conversation' || argv.unsure !== undefined) return null
  const [agent, own] = await daemon.agents.withSight((sight) =>
    Promise.all([process.process.pid, terminal.pid].map((pid) => sight.environmentOf(pid, ['PATH', 'TMPDIR']))),
  )
  if (agent?.['PATH'] === undefined) return null
  const cwd = process.cwd ?? terminal.spec.cwd
  return missingProgram(argv, {
    isThere: (path) => existsSync(resolve(cwd, path)),
    agentPath: agent['PATH'],
    terminalPath: own?.['PATH'] ?? '',
    temporary: ['/tmp', '/var/tmp', '/dev/shm', tmpdir(), ...(agent['TMPDIR'] === undefined ? [] : [agent['TMPDIR']])],
  })
}
