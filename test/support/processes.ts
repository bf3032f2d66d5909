import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { until } from './milestone.ts'

/** A process seen at one moment. `startedAt` is the kernel's own mark: with the pid it names one process for ever. */
export type SeenProcess = { readonly pid: number; readonly parent: number; readonly startedAt: string; readonly command: string }

/** Every process, other than this one, that has `text` in its command line, environment or working directory. */
export function processesMentioning(text: string): SeenProcess[] {
  const seen = process.platform === 'linux' ? fromProc(text) : fromPs(text)
  return seen.filter(({ pid }) => pid !== process.pid)
}

export function isRunning(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends one process, unless its pid has gone to another since it was seen. */
export function endProcess(seen: SeenProcess): void {
  if (process.platform === 'linux' && readStat(seen.pid)?.startedAt !== seen.startedAt) return
  try {
    process.kill(seen.pid, 'SIGKILL')
  } catch {
    // it ended by itself in between
  }
}

/** Ends all of those that are meant, until none is left: one may start another while it is being ended. */
export async function endProcesses(
  text: string,
  { isMeant = () => true, ...patience }: { readonly isMeant?: (seen: SeenProcess) => boolean; readonly timeoutMs?: number } = {},
): Promise<void> {
  const ended = new Set<number>()
  await until(
    () => {
      const left = processesMentioning(text).filter(isMeant)
      for (const seen of left) {
        ended.add(seen.pid)
        endProcess(seen)
      }
      return left.length === 0 && [...ended].every((pid) => !hasThreads(pid))
    },
    { what: `the processes of ${text} to be gone`, ...patience },
  )
}

/** One that looks dead may still have a thread that waits for the disk, with its files open and locked. */
function hasThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => !'ZX'.includes(readStat(`${pid}/task/${thread}`)?.state ?? 'X'))
  } catch {
    return false
  }
}

function fromProc(text: string): SeenProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    const pid = Number(name)
    const stat = readStat(pid)
    if (stat === null || stat.state === 'Z') return []
    const command = read(`/proc/${pid}/cmdline`)
    if (![command, read(`/proc/${pid}/environ`), readLink(`/proc/${pid}/cwd`)].some((place) => place.includes(text))) return []
    return [{ pid, parent: stat.parent, startedAt: stat.startedAt, command: command.replaceAll('\0', ' ').trim() }]
  })
}

/** Fields of /proc/PID/stat, or of a thread's, after the name, which may itself hold spaces and parentheses. */
function readStat(place: number | string): { state: string; parent: number; startedAt: string } | null {
  const stat = read(`/proc/${place}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  const startedAt = fields[19]
  if (state === undefined || parent === undefined || startedAt === undefined) return null
  return { state, parent: Number(parent), startedAt }
}

function fromPs(text: string): SeenProcess[] {
  const lines = execFileSync('ps', ['-axwwE', '-o', 'pid=,ppid=,command='], { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, command] = line.match(/^\s*(\d+)\s+(\d+)\s+(.*)$/) ?? []
    if (command === undefined || !command.includes(text)) return []
    return [{ pid: Number(pid), parent: Number(parent), startedAt: '', command: command.slice(0, 300) }]
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process ended, or belongs to somebody else
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
