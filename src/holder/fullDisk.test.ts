/** A disk that is really full. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, logOf, sh, typed } from '../../test/support/realHolder.ts'
import type { RunId } from '../base/ids.ts'
import { decodeSegment, type LogRecord, positionAfter, segmentSeq } from '../wire/log.ts'
import { History } from './history.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

describe('a full disk', () => {
  it('is survived in memory, said, and recovered from', async (context) => {
    const mount = mountTmpfs()
    if (mount === null) return context.skip('mounting a file system is not permitted here')
    try {
      const holder = await holders.start({
        ...sh('read x; seq 500000; printf END; read x; printf more; sleep 100'),
        runDirectory: join(mount.path, 'run'),
      })
      const link = await holder.link()
      link.subscribe()
      link.send(typed('\n'))
      await until(() => link.of('status').some(({ status }) => status.degraded?.includes('the disk is full')), {
        what: 'the degraded status',
      })
      await until(() => link.output().includes('END'), { what: 'the end of the output' })
      expect(link.text()).toContain('500000\r\nEND')
      mount.grow()
      await until(() => link.of('status').at(-1)?.status.degraded === null, { what: 'the recovery' })
      link.send(typed('\n'))
      await until(() => logOf(holder).some((record) => record.kind === 'output' && Buffer.from(record.bytes).includes('more')), {
        what: 'more in the log',
      })
      expect(link.text().endsWith('more')).toBe(true)
      link.send({ kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
      await link.seen('exited')
      link.send({ kind: 'takeExit' })
      await holder.left
    } finally {
      await mount.remove()
    }
  }, 30_000)
})

const PATTERN = Buffer.from(Array.from({ length: 1 << 20 }, (_, i) => (i * 31 + (i >> 8)) & 255))
const PERIOD = 1 << 16
const stream = (from: number, length: number): Buffer => PATTERN.subarray(from % PERIOD, (from % PERIOD) + length)

type Disk = { readonly path: string; fill(leaving: number): void; free(): void; remove(): Promise<void> }
type Run = History & { isExitKept(): boolean }

/** A file that is open keeps its disk from being removed. */
const opened: History[] = []

function historyOn(disk: Disk, segmentBytes: number): Run {
  let kept = false
  const order = { runDirectory: disk.path, run: 'r0123456789' as RunId, segmentBytes, size: { cols: 80, rows: 24 } }
  const made = new History({ order, changed: () => undefined, exitKept: () => (kept = true) })
  opened.push(made)
  return Object.assign(made, { isExitKept: () => kept })
}

const segmentsOn = (disk: Disk): string[] =>
  readdirSync(disk.path)
    .filter((name) => segmentSeq(name) !== null)
    .sort()

/** What a reader gets: of each segment the part before its first fault. All of it must be what was printed, in order. */
function readBack(disk: Disk): { records: LogRecord[]; faults: (string | null)[] } {
  const segments = segmentsOn(disk).map((name) => decodeSegment(readFileSync(join(disk.path, name)), crc32))
  for (const { records } of segments) {
    let position: number | null = null
    for (const record of records) {
      position = positionAfter(record, position)
      expect(position, `${record.kind} at ${record.seq}`).not.toBeNull()
      if (record.kind === 'output') expect(stream(record.seq, record.bytes.length).equals(record.bytes)).toBe(true)
    }
  }
  return { records: segments.flatMap(({ records }) => records), faults: segments.map(({ fault }) => fault) }
}

const endOf = (records: readonly LogRecord[]): number | undefined => {
  const last = records.at(-1)
  return last?.kind === 'output' ? last.seq + last.bytes.length : last?.seq
}

describe('a disk that fills up', () => {
  async function onDisk(context: { skip(why: string): void }, test: (disk: Disk) => Promise<void>): Promise<void> {
    const mount = mountTmpfs()
    if (mount === null) return context.skip('mounting a file system is not permitted here')
    try {
      await test(mount)
    } finally {
      for (const history of opened.splice(0)) await history.log.close()
      await mount.remove()
    }
  }

  it('in the middle of a record leaves the records before it, and loses nothing that memory still holds', (context) =>
    onDisk(context, async (disk) => {
      const run = historyOn(disk, 512 << 10)
      run.append(stream(0, 10_000))
      await run.log.keepNow()
      disk.fill(40 << 10)
      run.append(stream(run.head, 150_000))
      await run.log.keepNow()
      expect(run.log.degraded).toBe('the disk is full')
      const torn = readBack(disk)
      expect(torn.faults).toEqual(['a record is cut off'])
      expect(endOf(torn.records)).toBeGreaterThanOrEqual(10_000)
      disk.free()
      await run.log.keepNow()
      const { records, faults } = readBack(disk)
      expect(run.log.degraded).toBeNull()
      expect(faults).toEqual([null])
      expect(records.some(({ kind }) => kind === 'skip')).toBe(false)
      expect(endOf(records)).toBe(160_000)
    }))

  it('when a new segment is due leaves the old ones as they are and no empty one, and goes on with the newest output', (context) =>
    onDisk(context, async (disk) => {
      const run = historyOn(disk, 64 << 10)
      run.append(stream(0, 60_000))
      await run.log.keepNow()
      disk.fill(0)
      run.append(stream(run.head, 60_000))
      await run.log.keepNow()
      expect(run.log.degraded).toBe('the disk is full')
      expect(segmentsOn(disk)).toEqual(['000000000000000.log'])
      const before = readBack(disk)
      expect(endOf(before.records)).toBeGreaterThanOrEqual(60_000)
      for (let step = 0; step < 100; step++) run.append(stream(run.head, 60_000))
      run.resize({ cols: 100, rows: 30 })
      disk.free()
      await run.log.keepNow()
      const { records, faults } = readBack(disk)
      expect(faults.every((fault) => fault === null)).toBe(true)
      expect(endOf(records)).toBe(run.head)
      expect(records.at(-1)).toMatchObject({ kind: 'resize', size: { cols: 100, rows: 30 } })
    }))

  it('at the end of the program keeps the exit until there is room for it', (context) =>
    onDisk(context, async (disk) => {
      const run = historyOn(disk, 64 << 10)
      run.append(stream(0, 5_000))
      await run.log.keepNow()
      disk.fill(0)
      run.append(stream(run.head, 20_000))
      run.end({ code: 4 })
      await run.log.keepNow()
      expect(run.log.degraded).toBe('the disk is full')
      expect(run.isExitKept()).toBe(false)
      disk.free()
      await until(() => run.isExitKept(), { what: 'the exit to be kept by itself' })
      expect(readBack(disk).records.at(-1)).toMatchObject({ kind: 'exit', seq: 25_000, status: { code: 4 } })
    }))
})

function mountTmpfs(): (Disk & { grow(): void }) | null {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  return {
    path,
    fill: (leaving) => {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(join(path, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - leaving)))
    },
    free: () => rmSync(join(path, 'ballast')),
    grow: () => void execFileSync('mount', ['-o', 'remount,size=64m', path]),
    remove: async () => {
      await until(() => execFileSync('umount', [path], { stdio: 'ignore' }) !== undefined, { what: 'the mount to be free' })
      rmSync(path, { recursive: true })
    },
  }
}
