import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildStore, makeFolder, startFixture } from '../../test/support/store.ts'
import { acquireLock, type Lock } from './lock.ts'

const newFile = () => join(makeFolder(), 'home', 'lock.db')

async function acquireOrThrow(file: string): Promise<Lock> {
  const acquired = await acquireLock(file)
  if (!acquired.ok) throw new Error(acquired.refusal.message)
  onTestFinished(() => acquired.value.release())
  return acquired.value
}

beforeAll(buildStore)

test('a second process is refused at once, and gets the lock when the first is killed', async () => {
  const file = newFile()
  const first = startFixture('holds-lock.mjs', file)
  await first.said(1)
  expect(first.lines).toEqual(['held'])
  const second = startFixture('holds-lock.mjs', file)
  await second.said(1)
  expect(second.lines).toEqual(['lock-held'])
  expect(await acquireLock(file)).toMatchObject({ ok: false, refusal: { code: 'lock-held' } })
  await first.kill()
  await acquireOrThrow(file)
})

test('of many that start together exactly one gets it', async () => {
  const file = newFile()
  const all = Array.from({ length: 6 }, () => startFixture('holds-lock.mjs', file))
  await Promise.all(all.map((program) => program.said(1)))
  expect(all.flatMap(({ lines }) => lines).sort()).toEqual(['held', ...Array(5).fill('lock-held')])
})

test('the same process does not get it twice, and asking does not cost the first its lock', async () => {
  const file = newFile()
  const lock = await acquireOrThrow(file)
  expect((await acquireLock(file)).ok).toBe(false)
  const other = startFixture('holds-lock.mjs', file)
  await other.said(1)
  expect(other.lines).toEqual(['lock-held'])
  lock.release()
  lock.release()
  await acquireOrThrow(file)
})

test('it is an empty private file, and stays the only one', async () => {
  const file = newFile()
  await acquireOrThrow(file)
  expect(statSync(file).size).toBe(0)
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  expect(readdirSync(join(file, '..'))).toEqual(['lock.db'])
})

test('a lock file that somebody wrote into still works', async () => {
  const file = join(makeFolder(), 'lock.db')
  writeFileSync(file, 'pid 4711\n'.repeat(200))
  await acquireOrThrow(file)
  const other = startFixture('holds-lock.mjs', file)
  await other.said(1)
  expect(other.lines).toEqual(['lock-held'])
})

test('a place that cannot be used is refused with a sentence', async () => {
  const file = join(makeFolder(), 'file')
  writeFileSync(file, '')
  expect(await acquireLock(join(file, 'lock.db'))).toMatchObject({ ok: false, refusal: { code: 'home-unusable' } })
})
