/** How faults are brought about, in a home of a test's own. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { daemonsOf, holdersOf, programsOf } from './daemon.ts'
import type { Where } from './faults.ts'
import { until } from './milestone.ts'
import { endProcess, processesMentioning, type SeenProcess } from './processes.ts'
import type { Fault, Scene } from './tryFault.ts'

export const HOUR_MS = 3_600_000
const CLOCK = fileURLToPath(new URL('../fixtures/clock/shifted.mjs', import.meta.url))

/** Where its holder writes now. */
export function newestSegment({ home, run }: Scene): string {
  const directory = join(home.path, 'runs', run)
  const names = readdirSync(directory).filter((name) => /^\d+\.log$/.test(name))
  return join(directory, names.sort().at(-1) ?? '')
}

const tmuxSocket = ({ path }: Where): string => join(path, 'sockets/tmux.sock')

export const tmux = (home: Where, ...args: string[]): string =>
  execFileSync('tmux', ['-S', tmuxSocket(home), ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Those that nothing of this home started, unlike the clients of tmux: a server leaves the process that it came from. */
export function tmuxServers(home: Where): SeenProcess[] {
  const pids = new Set(processesMentioning(home.path).map(({ pid }) => pid))
  return processesMentioning(tmuxSocket(home)).filter(({ command, parent }) => /tmux/.test(command) && !pids.has(parent))
}

function tmuxServer(home: Where): SeenProcess {
  const [server, ...others] = tmuxServers(home)
  if (server === undefined || others.length > 0) throw new Error('there is not one tmux')
  return server
}

export function killTmux({ home }: Scene): void {
  endProcess(tmuxServer(home))
}

export function stopTmux({ home }: Scene): void {
  process.kill(tmuxServer(home).pid, 'SIGSTOP')
}

const tripOf = (home: Where): string => `${home.path}/trip`

/** A thread fails at its next question, and then the file is gone. */
export const endsThread = (thread: 'screens' | 'store' | 'search'): Pick<Fault, 'env' | 'strike'> => ({
  env: (home) => ({ HOLDFAST_TRIP: `thread:${tripOf(home)}` }),
  async strike({ home }) {
    writeFileSync(tripOf(home), `${thread} end`)
    await until(() => !existsSync(tripOf(home)), { what: 'the thread to end' })
  },
})

const clockOf = (home: Where): string => `${home.path}/clock`

/** Wherever the daemon asks for the time, not only where it looks after its health. */
export const movesClock = (byMs: number): Pick<Fault, 'env' | 'strike'> => ({
  env: (home) => ({ NODE_OPTIONS: `--import ${CLOCK}`, HOLDFAST_TEST_CLOCK: clockOf(home) }),
  strike: ({ home }) => writeFileSync(clockOf(home), String(byMs)),
})

export function suspend({ home }: Scene, ms: number): void {
  const all = [...daemonsOf(home), ...holdersOf(home), ...programsOf(home)]
  expect(all.length).toBeGreaterThanOrEqual(5) // a daemon, and two programs with their holders
  for (const { pid } of all) process.kill(pid, 'SIGSTOP')
  writeFileSync(clockOf(home), String(ms))
  for (const { pid } of all) process.kill(pid, 'SIGCONT')
}

export function fillUp({ home }: Scene): void {
  const { bavail, bsize } = statfsSync(home.path)
  try {
    writeFileSync(join(home.path, 'ballast'), Buffer.alloc(bavail * bsize))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error // somebody has written meanwhile: it is full all the same
  }
}
