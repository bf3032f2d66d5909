import { describe, expect, it } from 'vitest'
import { measure, memoryRoom } from './measures.ts'

const MEMINFO = 'MemTotal:       16000 kB\nMemFree:  10 kB\nMemAvailable:    8000 kB\n'
const KIB = 1_024

const reading = (files: Record<string, string>) => (path: string) => files[path] ?? null

describe('the room in memory', () => {
  it('is the machine’s where nothing limits it', () => {
    expect(memoryRoom(reading({ '/proc/meminfo': MEMINFO }))).toEqual({ total: 16_000 * KIB, bytes: 8_000 * KIB })
    const unlimited = { '/proc/meminfo': MEMINFO, '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/memory.max': 'max\n' }
    expect(memoryRoom(reading(unlimited))?.total).toBe(16_000 * KIB)
  })

  it('is the control group’s where that has less; copies of files count as room', () => {
    const second = {
      '/proc/meminfo': MEMINFO,
      '/proc/self/cgroup': '0::/a/b\n',
      '/sys/fs/cgroup/a/b/memory.max': `${4_000 * KIB}\n`,
      '/sys/fs/cgroup/a/b/memory.current': `${3_900 * KIB}\n`,
      '/sys/fs/cgroup/a/b/memory.stat': `anon 1\ninactive_file ${2_000 * KIB}\n`,
    }
    expect(memoryRoom(reading(second))).toEqual({ total: 4_000 * KIB, bytes: 2_100 * KIB })
    const first = {
      '/proc/meminfo': MEMINFO,
      '/proc/self/cgroup': '4:memory:/x\n0::/\n',
      '/sys/fs/cgroup/memory/x/memory.limit_in_bytes': `${4_000 * KIB}\n`,
      '/sys/fs/cgroup/memory/x/memory.usage_in_bytes': `${3_000 * KIB}\n`,
      '/sys/fs/cgroup/memory/x/memory.stat': 'total_inactive_file 0\n',
    }
    expect(memoryRoom(reading(first))).toEqual({ total: 4_000 * KIB, bytes: 1_000 * KIB })
  })

  it('is not known where nobody tells', () => {
    expect(memoryRoom(() => null)).toBeNull()
  })
})

it('this machine can be measured', async () => {
  const { heapShare, ownShare, disk, stallMs } = await measure('/', 7)
  expect(heapShare).toBeGreaterThan(0)
  expect(ownShare).toBeGreaterThan(0)
  expect(disk?.total).toBeGreaterThan(0)
  expect(stallMs).toBe(7)
})
