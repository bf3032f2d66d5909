/** Processes as Linux tells them, in small files that cost no disk: reading one takes some ten microseconds. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ProcessSight, SelfName } from '../../agents/agent.ts'
import { type ProcessInfo, parseProcStat } from '../../holder/processes.ts'
import type { Environment } from '../../workspace/redact/environment.ts'
import type { Confinement } from '../../workspace/wrapper/confinement.ts'
import { grouped, type ProcessLook, type ProcessName, type Sight, treeBelow } from './processLook.ts'

/** Paths are below /proc. Null where there is no such file, or it is not ours to read. */
export type ProcFiles = {
  read(path: string): string | null
  link(path: string): string | null
  list(path: string): readonly string[]
}

export const systemProcFiles: ProcFiles = {
  read: (path) => orNull(() => readFileSync(`/proc/${path}`, 'latin1')),
  link: (path) => orNull(() => readlinkSync(`/proc/${path}`)),
  list: (path) => orNull(() => readdirSync(`/proc/${path}`)) ?? [],
}

/** A process may end between any two reads, and others belong to other users: both are nothing to be seen. */
function orNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** What stands in /proc/PID/environ. */
export function environmentIn(text: string): Environment {
  const entries = text.split('\0').flatMap((entry) => {
    const at = entry.indexOf('=')
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const]
  })
  return Object.fromEntries(entries)
}

/** How many ticks a second has in what the kernel tells to programs; the same on every architecture. */
const TICKS_PER_S = 100
/** What the kernel adds to the path of a file that was removed, as by an update of a program that runs. */
const DELETED = / \(deleted\)$/

export const linuxLook = (files: ProcFiles): ProcessLook => {
  const bootedAt = Number(/^btime (\d+)$/m.exec(files.read('stat') ?? '')?.[1] ?? 0) * 1_000
  return { begin: () => Promise.resolve(new LinuxSight(files, bootedAt)) }
}

const NAMESPACES = ['mnt', 'pid', 'net', 'user', 'uts', 'ipc'] as const
/** As they are called in /proc/PID/status. */
const RIGHTS = ['Uid', 'CapBnd', 'NoNewPrivs', 'Seccomp', 'Seccomp_filters'] as const

class LinuxSight implements Sight {
  readonly hasWords = true
  private readonly stats = new Map<number, ProcessInfo | null>()
  private byParent: ReadonlyMap<number, readonly number[]> | null = null

  constructor(
    private readonly files: ProcFiles,
    private readonly bootedAt: number,
  ) {}

  keyboardOf(root: ProcessName) {
    const info = this.stat(root.pid)
    if (info === null || info.start !== root.start || info.foregroundGroup <= 0) return null
    const group = info.foregroundGroup
    const leader = this.stat(group) ?? this.anyOf(group)
    return leader === null ? null : { group, leader: { pid: leader.pid, start: leader.start, name: leader.name } }
  }

  processesOf(root: ProcessName, group: number): Promise<readonly ProcessSight[]> {
    const pids = treeBelow([root.pid, group], (pid) => this.childrenOf(pid))
    return Promise.resolve(pids.flatMap((pid) => this.sightOf(pid) ?? []))
  }

  find(pid: number): Promise<ProcessSight | null> {
    return Promise.resolve(this.sightOf(pid))
  }

  isThere({ pid, start }: ProcessName): boolean {
    return this.stat(pid)?.start === start
  }

  startedAt({ start }: ProcessName): number {
    return this.bootedAt + (Number(start) * 1_000) / TICKS_PER_S
  }

  cwdOf(pid: number): Promise<string | null> {
    return Promise.resolve(this.files.link(`${pid}/cwd`)?.replace(DELETED, '') ?? null)
  }

  environmentOf(pid: number, names: readonly string[]): Promise<Readonly<Record<string, string>> | null> {
    const text = this.files.read(`${pid}/environ`)
    if (text === null) return Promise.resolve(null)
    const entries = Object.entries(environmentIn(utf8(text)))
    return Promise.resolve(Object.fromEntries(entries.filter(([name]) => names.includes(name))))
  }

  confinementOf(pid: number): Confinement | null {
    const status = this.files.read(`${pid}/status`)
    if (status === null) return null
    const namespaces = NAMESPACES.map((name) => [`${name} namespace`, this.files.link(`${pid}/ns/${name}`)] as const)
    const profile = this.files.read(`${pid}/attr/current`)?.replace(/[\0\n]+$/, '') ?? null
    return {
      places: {
        ...Object.fromEntries(namespaces),
        'root directory': this.files.link(`${pid}/root`),
        'control group': this.files.read(`${pid}/cgroup`),
      },
      rights: {
        ...Object.fromEntries(RIGHTS.map((name) => [name, fieldOf(status, name)])),
        // A profile that confines nothing is only a name, which a program may have by its path.
        profile: profile === null || /unconfined/.test(profile) ? 'unconfined' : profile,
      },
    }
  }

  selfNameOf(pid: number): SelfName | null {
    const info = this.stat(pid)
    const status = this.files.read(`${pid}/status`)
    if (info === null || status === null) return null
    const numbers = fieldOf(status, 'NSpid')?.split(/\s+/) ?? [pid] // from our space inwards
    const space = /\[(\d+)\]$/.exec(this.files.link(`${pid}/ns/pid`) ?? '')?.[1] ?? null
    return { pid: Number(numbers.at(-1)), start: info.start, space, isInside: numbers.length > 1 }
  }

  openFilesOf(pids: readonly number[]): Promise<readonly string[]> {
    const paths = pids.flatMap((pid) => this.files.list(`${pid}/fd`).flatMap((fd) => this.files.link(`${pid}/fd/${fd}`) ?? []))
    return Promise.resolve([...new Set(paths)].filter((path) => path.startsWith('/')))
  }

  private stat(pid: number): ProcessInfo | null {
    const known = this.stats.get(pid)
    if (known !== undefined) return known
    const text = this.files.read(`${pid}/stat`)
    const info = text === null ? null : parseProcStat(text)
    this.stats.set(pid, info)
    return info
  }

  private sightOf(pid: number): ProcessSight | null {
    const info = this.stat(pid)
    if (info === null) return null
    const { start, parent, group, session, name } = info
    const executable = this.files.link(`${pid}/exe`)?.replace(DELETED, '') ?? null
    const argv = utf8(this.files.read(`${pid}/cmdline`) ?? '').split('\0')
    if (argv.at(-1) === '') argv.pop() // each word ends with one
    return { pid, start, parent, group, session, name, executable, argv }
  }

  /** A child belongs to the thread that started it. */
  private childrenOf(pid: number): readonly number[] {
    const lists = this.files.list(`${pid}/task`).map((thread) => this.files.read(`${pid}/task/${thread}/children`))
    if (lists.includes(null) && this.stat(pid) !== null) return this.childrenByParent().get(pid) ?? []
    return lists.flatMap((list) => (list ?? '').split(' ').filter(Boolean).map(Number))
  }

  /** For kernels that do not tell who a process's children are: everybody says who the parent is. */
  private childrenByParent(): ReadonlyMap<number, readonly number[]> {
    this.byParent ??= grouped(this.everybody())
    return this.byParent
  }

  private everybody(): readonly ProcessInfo[] {
    return this.files.list('').flatMap((name) => (/^\d+$/.test(name) ? (this.stat(Number(name)) ?? []) : []))
  }

  /** A pipeline may outlive the process that its group is named after. */
  private anyOf(group: number): ProcessInfo | null {
    return this.everybody().find((info) => info.group === group) ?? null
  }
}

const fieldOf = (status: string, name: string): string | null => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? null

/** What is read as bytes, because a cut character must not cost the rest. */
const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')
