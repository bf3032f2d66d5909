/** What the system knows about processes: Linux tells through /proc, macOS through `ps`. A pid alone names nothing; with its start it does. */
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Foreground, SignalRequest } from '../wire/holder.ts'

export type ProcessInfo = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Equal for all processes of one terminal session. */
  readonly session: string
  readonly hasTerminal: boolean
  /** The process group that reads the keyboard of its terminal; 0 or less where there is none. */
  readonly foregroundGroup: number
  readonly start: string
  readonly isStopped: boolean
  readonly name: string
}

export type Processes = {
  find(pid: number): Promise<ProcessInfo | null>
  list(): Promise<readonly ProcessInfo[]>
  /** Blocks; for the one time before there is anything to hold up. Empty where the process is gone. */
  startOf(pid: number): string
}

export const systemProcesses = (): Processes => (process.platform === 'linux' ? linuxProcesses : psProcesses)

const linuxProcesses: Processes = {
  find: (pid) => Promise.resolve(readProc(pid)),
  list: () =>
    Promise.resolve(
      readdirSync('/proc')
        .map((name) => (/^\d+$/.test(name) ? readProc(Number(name)) : null))
        .filter((info) => info !== null),
    ),
  startOf: (pid) => readProc(pid)?.start ?? '',
}

function readProc(pid: number): ProcessInfo | null {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return null
  }
}

/**
 * The name stands in parentheses and may itself hold parentheses and spaces; the rest are numbers. A process that has ended
 * stays listed until its parent asks for it, which some never do: it is none.
 */
export function parseProcStat(text: string): ProcessInfo | null {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  const [state, parent, group, session, tty, foregroundGroup, ...more] = text.slice(close + 2).split(' ')
  const start = more[13]
  if (open === -1 || start === undefined || state === 'Z' || state === 'X') return null
  return {
    pid: Number(text.slice(0, open)),
    parent: Number(parent),
    group: Number(group),
    session: session ?? '',
    hasTerminal: tty !== '0',
    foregroundGroup: Number(foregroundGroup),
    start,
    isStopped: state === 'T',
    name: Buffer.from(text.slice(open + 1, close), 'latin1').toString(),
  }
}

export const PS_COLUMNS = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=,comm='
const PS_OPTIONS = { env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' }, encoding: 'utf8', maxBuffer: 16 << 20 } as const

const psProcesses: Processes = {
  find: async (pid) => (await ps(['-o', PS_COLUMNS, '-p', String(pid)]))[0] ?? null,
  list: () => ps(['-axo', PS_COLUMNS]),
  startOf: (pid) => {
    try {
      return parsePs(execFileSync('ps', ['-o', PS_COLUMNS, '-p', String(pid)], PS_OPTIONS))[0]?.start ?? ''
    } catch {
      return ''
    }
  },
}

/** `ps` fails where it finds none of the processes asked for. */
const ps = (args: readonly string[]): Promise<readonly ProcessInfo[]> =>
  new Promise((resolve) => execFile('ps', args, PS_OPTIONS, (error, stdout) => resolve(error === null ? parsePs(stdout) : [])))

export const parsePs = (text: string): readonly ProcessInfo[] =>
  psRows(text).map(({ path, ...info }) => ({ ...info, name: basename(path) }))

/** `path` is what stands in the last column, which may hold blanks: the executable. */
export function psRows(text: string): readonly (Omit<ProcessInfo, 'name'> & { readonly path: string })[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.+)$/.exec(line)
    if (match === null) return []
    const [, pid, parent, group, foregroundGroup, tty = '', state = '', start = '', command = ''] = match
    if (state.startsWith('Z')) return []
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // macOS does not tell the session; a terminal of ours has exactly one, and '??' means that there is none.
      session: tty.startsWith('?') ? `none of ${pid}` : tty,
      hasTerminal: !tty.startsWith('?'),
      foregroundGroup: Number(foregroundGroup),
      start: start.replace(/\s+/g, ' '),
      isStopped: state.startsWith('T'),
      path: command.trim(),
    }
  })
}

/** The process that has the keyboard of `program`'s terminal. A pipeline may outlive the process that its group is named after. */
export async function foregroundOf(processes: Processes, program: number): Promise<Foreground | null> {
  const group = (await processes.find(program))?.foregroundGroup ?? 0
  if (group <= 0) return null
  const leader = (await processes.find(group)) ?? (await processes.list()).find((info) => info.group === group)
  return leader === undefined || leader === null ? null : { pid: leader.pid, name: leader.name }
}

/** The program, its descendants, and every process of its session whose parent has gone. */
export function treeOf(all: readonly ProcessInfo[], program: number): readonly ProcessInfo[] {
  const session = all.find((info) => info.pid === program)?.session ?? String(program)
  const tree = new Map(all.filter((info) => info.pid === program || info.session === session).map((info) => [info.pid, info]))
  for (let before = -1; before !== tree.size; ) {
    before = tree.size
    for (const info of all) if (tree.has(info.parent)) tree.set(info.pid, info)
  }
  return [...tree.values()].filter((info) => info.pid > 1 && info.pid !== process.pid)
}

/** The processes of the tree that share the program's session. */
export function sessionOf(all: readonly ProcessInfo[], program: number): readonly ProcessInfo[] {
  const tree = treeOf(all, program)
  const session = tree.find(({ pid }) => pid === program)?.session ?? String(program)
  return tree.filter((info) => info.session === session)
}

/** The processes that get SIGHUP, as when a window is closed. A process without a terminal is left alone: it may serve others. */
export const atTerminals = (all: readonly ProcessInfo[], program: number): readonly ProcessInfo[] =>
  treeOf(all, program).filter(({ hasTerminal }) => hasTerminal)

/** A process that forks while the list is read would escape a kill; the list is read again until no new process appears. */
const KILL_ROUNDS = 5

export async function signalTree(processes: Processes, program: number, signal: SignalRequest['signal']): Promise<void> {
  const seen = new Set<string>()
  for (let round = 0; round < (signal === 'SIGKILL' ? KILL_ROUNDS : 1); round++) {
    const reached = signal === 'SIGKILL' ? treeOf : atTerminals
    const found = reached(await processes.list(), program).filter(({ pid, start }) => !seen.has(`${pid} ${start}`))
    if (found.length === 0) return
    for (const info of found) {
      seen.add(`${info.pid} ${info.start}`)
      send(info.pid, signal)
      if (info.isStopped && (signal === 'SIGTERM' || signal === 'SIGHUP')) send(info.pid, 'SIGCONT') // a stopped process notices nothing else
    }
  }
}

export async function signalForeground(processes: Processes, program: number, signal: SignalRequest['signal']): Promise<void> {
  const info = await processes.find(program)
  if (info === null) return
  const group = info.foregroundGroup > 1 ? info.foregroundGroup : info.group
  if (group > 1) send(-group, signal)
}

function send(pid: number, signal: SignalRequest['signal']): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, which is what most signals are for; or it belongs to another user, as after `su`.
  }
}
