/** How much room the daemon has, in memory and on disk. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Measures, Room } from '../../workspace/load.ts'

export type ReadText = (path: string) => string | null

const readText: ReadText = (path) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null // a kind of system that does not tell
  }
}

export async function measure(home: string, stallMs: number): Promise<Measures> {
  const heap = getHeapStatistics()
  const memory = memoryRoom(process.platform === 'linux' ? readText : () => null)
  const measured: Measures = {
    heapShare: heap.used_heap_size / heap.heap_size_limit,
    ownShare: process.memoryUsage.rss() / (memory?.total ?? totalmem()),
    available: memory,
    disk: await diskRoom(home),
    stallMs,
  }
  return { ...measured, ...injected().measures }
}

/** What users may still write; root could write more, and should not count on it. */
async function diskRoom(home: string): Promise<Room | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(home)
    return { bytes: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}

/** Of the control group where it allows less than the machine has. What is only a copy of files can be had at once, and counts as room. */
export function memoryRoom(read: ReadText): Room | null {
  const info = read('/proc/meminfo')
  const total = kibIn(info, 'MemTotal')
  const bytes = kibIn(info, 'MemAvailable')
  if (total === null || bytes === null) return null
  const machine: Room = { bytes, total }
  const group = groupRoom(read)
  return group === null || group.total >= machine.total ? machine : { total: group.total, bytes: Math.min(group.bytes, machine.bytes) }
}

function kibIn(text: string | null, name: string): number | null {
  const [, kib] = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text ?? '') ?? []
  return kib === undefined ? null : Number(kib) * 1_024
}

type GroupFiles = { readonly directory: string; readonly most: string; readonly used: string; readonly cached: string }

function groupRoom(read: ReadText): Room | null {
  for (const { directory, most, used, cached } of groupsOf(read('/proc/self/cgroup') ?? '')) {
    const total = Number.parseInt(read(`${directory}/${most}`) ?? '', 10)
    const current = Number.parseInt(read(`${directory}/${used}`) ?? '', 10)
    const [, files] = new RegExp(`^${cached} (\\d+)$`, 'm').exec(read(`${directory}/memory.stat`) ?? '') ?? []
    if (total > 0 && current >= 0 && files !== undefined) return { total, bytes: Math.max(0, total - current + Number(files)) }
  }
  return null // there is no limit, or it is not told
}

/** In a container the own group is often the root of what can be seen. */
function groupsOf(text: string): readonly GroupFiles[] {
  const path = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
  const second = { most: 'memory.max', used: 'memory.current', cached: 'inactive_file' }
  const first = { most: 'memory.limit_in_bytes', used: 'memory.usage_in_bytes', cached: 'total_inactive_file' }
  return [
    { directory: `/sys/fs/cgroup${path(/^0::(.*)$/m)}`, ...second },
    { directory: '/sys/fs/cgroup', ...second },
    { directory: `/sys/fs/cgroup/memory${path(/^\d+:(?:.*,)?memory(?:,.*)?:(.*)$/m)}`, ...first },
    { directory: '/sys/fs/cgroup/memory', ...first },
  ]
}

/**
 * With `HOLDFAST_TRIP=health:FILE` a test says in FILE, as JSON and whenever it likes, what is measured and how far the clock is off.
 * Nothing of a machine need be used up to see what the daemon does when it is.
 */
type Injected = { readonly clockOffsetMs: number; readonly measures: Partial<Measures> }

const NOTHING: Injected = { clockOffsetMs: 0, measures: {} }
const [, file] = /^health:(.+)$/.exec(process.env['HOLDFAST_TRIP'] ?? '') ?? []

export function injected(): Injected {
  if (file === undefined) return NOTHING
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Injected>) }
  } catch {
    return NOTHING // the test has not said anything yet
  }
}
