import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { expect, test } from 'vitest'
import { environment } from './holdfast.ts'
import { type Home, makeHome } from './home.ts'

test('a test that makes no home of its own has none that works', () => {
  const home = process.env['HOLDFAST_HOME'] ?? ''
  expect(home).not.toBe('')
  expect(() => mkdirSync(home, { recursive: true })).toThrow()
})

test('temporary directories are made below the root of the run', () => {
  expect(tmpdir()).toBe(process.env['HOLDFAST_TEST_ROOT'])
})

test('each home is a new directory with room for a socket name', async () => {
  await using first = makeHome()
  await using second = makeHome()
  expect(first.path).not.toBe(second.path)
  expect(first.path.length).toBeLessThan(60)
})

const startStray = (home: Home) => spawn('sh', ['-c', 'read line'], { env: environment(home), detached: true })

test('sweeping a home ends its processes and removes it', async () => {
  const home = makeHome()
  const stray = startStray(home)
  const ended = new Promise((settle) => stray.once('exit', (_code, signal) => settle(signal)))
  await home.sweep()
  expect(await ended).toBe('SIGKILL')
  expect(existsSync(home.path)).toBe(false)
})

test('disposing of a home names a process that outlives the daemon, and ends it', async () => {
  const home = makeHome()
  const stray = startStray(home)
  await expect(home.dispose()).rejects.toThrow(new RegExp(`outlived "daemon stop --all":\n {2}${stray.pid}: sh -c read line`))
  expect(existsSync(home.path)).toBe(false)
})
