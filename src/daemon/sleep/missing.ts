import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { MissingProgram } from '../../workspace/losses.ts'
import { missingProgram } from '../../workspace/missingProgram.ts'
import { argvFor } from '../../workspace/resume.ts'
import type { Live } from '../../workspace/terminal.ts'
import { waysOf } from '../agents/ways.ts'
import type { Daemon } from '../daemon.ts'

/** The program with which the agent in front would be resumed, if it will not be there; null also where that cannot be seen. */
export async function missingNow(daemon: Daemon, terminal: Live): Promise<MissingProgram | null> {
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
