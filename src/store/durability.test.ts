import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildStore, makeFolder, openOrThrow, startFixture } from '../../test/support/store.ts'
import { asleep, runId, terminalId } from '../../test/support/terminals.ts'
import { openStore } from './thread/openStore.ts'

const KEEPS_NUMBERS = fileURLToPath(new URL('../../test/fixtures/store/keeps-numbers.mjs', import.meta.url))
const KEEPS_CHECKPOINTS = fileURLToPath(new URL('../../test/fixtures/store/keeps-checkpoints.mjs', import.meta.url))
const numbersIn = (lines: readonly string[]): number[] => lines.filter((line) => /^\d+$/.test(line)).map(Number)

beforeAll(buildStore)

describe('kill -9 in the middle of writes', () => {
  test.each([1, 2, 17, 90, 400])('after %i promises: every one of them was true', async (promises) => {
    const file = join(makeFolder(), 'holdfast.db')
    const program = startFixture('keeps-numbers.mjs', file, '8', '0')
    await program.said(promises)
    await program.kill()
    const store = await openOrThrow(file)
    expect(store.troubles).toEqual([])
    const kept = new Set((await store.records()).map((record) => (record.ok ? record.terminal.name : null)))
    for (const n of numbersIn(program.lines)) {
      expect(kept, `number ${n}`).toContain(`n${n}`)
      expect((await store.snapshot(runId(n)))?.seq, `snapshot ${n}`).toBe(n)
    }
  })
})

/** Runs a program under strace and counts the calls that force data to the disk. `limit` is how many promises it hears. */
function countSyncs(context: TestContext, program: string, { args, limit }: { args: readonly number[]; limit: number }): number {
  const folder = makeFolder()
  const trace = join(folder, 'trace')
  const command = ['-f', '-o', trace, '-e', 'trace=fsync,fdatasync', process.execPath, program, join(folder, 'holdfast.db')]
  const { status, stdout, stderr, error } = spawnSync('strace', [...command, ...args.map(String)], { input: '', encoding: 'utf8' })
  if (error !== undefined || /ptrace|not permitted/i.test(stderr)) context.skip(`strace cannot be used here: ${error?.message ?? stderr}`)
  expect({ status, numbers: numbersIn(stdout.split('\n')).length }, stderr).toEqual({ status: 0, numbers: limit })
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /\bf(data)?sync\(/.test(line)).length
}

test('500 promises, one after another, are at least 500 syncs', { timeout: 60_000 }, (context) => {
  expect(countSyncs(context, KEEPS_NUMBERS, { args: [1, 500], limit: 500 })).toBeGreaterThanOrEqual(500)
})

test('500 promises asked for at once share a few syncs', { timeout: 60_000 }, (context) => {
  expect(countSyncs(context, KEEPS_NUMBERS, { args: [500, 500], limit: 500 })).toBeLessThan(50)
})

test('a checkpoint is synced with its copy; one that says nothing new costs no sync', { timeout: 60_000 }, (context) => {
  const unchanged = countSyncs(context, KEEPS_CHECKPOINTS, { args: [1, 100], limit: 101 })
  const changed = countSyncs(context, KEEPS_CHECKPOINTS, { args: [101, 0], limit: 101 })
  const perCheckpoint = (changed - unchanged) / 100
  expect(perCheckpoint).toBeGreaterThanOrEqual(3) // the commit, the copy, and the directory of the copy
  expect(unchanged).toBeLessThan(50)
})

test('an idle store writes no byte', async (context) => {
  if (process.platform !== 'linux') context.skip('only Linux counts the bytes a process writes')
  const folder = makeFolder()
  const program = startFixture('keeps-numbers.mjs', join(folder, 'holdfast.db'), '4', '20')
  await program.said(21)
  const written = () => readFileSync(`/proc/${program.pid}/io`, 'utf8').match(/^wchar: .*$/m)?.[0]
  const writesNothing = async (): Promise<boolean> => {
    const before = written()
    await delay(1_500) // what is measured is that nothing happens meanwhile
    return written() === before
  }
  await until(writesNothing, { what: 'a second and a half without a write' }) // the last one may be under way
  await program.finish()
  expect(readdirSync(folder)).toEqual(['holdfast.db'])
})

/** A disk of a megabyte; gone when the test ends. */
function mountSmallDisk(context: TestContext): string {
  const disk = join(makeFolder(), 'disk')
  mkdirSync(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { encoding: 'utf8' })
  if (mounted.status !== 0) context.skip(`a small disk cannot be mounted here: ${mounted.stderr ?? mounted.error?.message}`)
  onTestFinished(() => void spawnSync('umount', [disk]))
  return disk
}

/** Takes every byte that is left. */
function fillUp(disk: string): string {
  const filler = join(disk, 'filler')
  for (const size of [65_536, 4_096, 512, 1]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
  return filler
}

describe('a full disk', () => {
  test('rejects what does not fit, keeps everything else, and is no longer full when there is room', async (context) => {
    const disk = mountSmallDisk(context)
    const file = join(disk, 'home', 'holdfast.db')
    const store = await openOrThrow(file)
    await store.keepTerminal(asleep({ name: 'before' }))
    const filler = fillUp(disk)
    const refused = store.keepSnapshot(asleep().id, { run: runId(1), seq: 1, bytes: randomBytes(200_000) })
    await expect(refused).rejects.toMatchObject({
      name: 'StoreFailure',
      kind: 'full',
      message: expect.stringContaining('the disk is full'),
    })
    expect(await store.records()).toEqual([{ ok: true, terminal: asleep({ name: 'before' }) }])
    rmSync(filler)
    await store.keepTerminal(asleep({ name: 'after' }))
    await store.close()
    const again = await openOrThrow(file)
    expect(again.troubles).toEqual([])
    expect(await again.records()).toEqual([{ ok: true, terminal: asleep({ name: 'after' }) }])
    await again.close()
  })

  test('costs only the write that is too large, not those that were asked for with it', async (context) => {
    const disk = mountSmallDisk(context)
    const store = await openOrThrow(join(disk, 'holdfast.db'))
    await store.keepTerminal(asleep())
    const large = store.keepSnapshot(asleep().id, { run: runId(1), seq: 1, bytes: randomBytes(4_000_000) })
    const small = store.keepTerminal(asleep({ id: terminalId(2) }))
    await expect(large).rejects.toMatchObject({ kind: 'full' })
    await small
    expect(await store.records()).toHaveLength(2)
    await store.close()
  })

  test('at opening is refused with a clear sentence', async (context) => {
    const disk = mountSmallDisk(context)
    fillUp(disk)
    const opened = await openStore({ file: join(disk, 'holdfast.db'), now: Date.now })
    expect(opened).toMatchObject({ ok: false, refusal: { code: 'disk-failed', message: expect.stringContaining('the disk is full') } })
  })
})

test('a read-only directory is refused with a clear sentence, and nothing in it changes', async (context) => {
  const disk = mountSmallDisk(context)
  const file = join(disk, 'holdfast.db')
  const store = await openOrThrow(file)
  await store.keepTerminal(asleep())
  await store.close()
  const before = readFileSync(file)
  expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0)
  const opened = await openStore({ file, now: Date.now })
  expect(opened).toMatchObject({ ok: false, refusal: { code: 'home-unusable', message: expect.stringContaining('may not be written') } })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(disk)).toEqual(['holdfast.db'])
})

test('a database that is deleted under the store is noticed, not written into nothing', async () => {
  const folder = makeFolder()
  const store = await openOrThrow(join(folder, 'holdfast.db'))
  await store.keepSetting('a', '1')
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  await expect(store.keepSetting('a', '2')).rejects.toMatchObject({ kind: 'moved' })
})
