import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { isRunning } from '../../../test/support/processes.ts'
import { makeFolder } from '../../../test/support/store.ts'
import { runBounded } from './bounded.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const run = (script: string, { cwd = '/', withinMs = 10_000, mostBytes = 1_000 } = {}) =>
  runBounded('sh', ['-c', script], { cwd, env, withinMs, mostBytes })

test('a program says what it has to say, in the directory and with the mask that it was given', async () => {
  const cwd = makeFolder()
  expect(await run('pwd; echo no >&2; exit 3', { cwd })).toEqual({ kind: 'ended', code: 3, output: `${cwd}\n`, said: 'no\n' })
  const masked = await runBounded('sh', ['-c', 'umask'], { cwd, env, withinMs: 10_000, mostBytes: 100, umask: 0o027 })
  expect(masked).toMatchObject({ output: expect.stringMatching(/^0*27\n$/) })
  expect(await runBounded('no-such-program', [], { cwd, env, withinMs: 10_000, mostBytes: 100 })).toEqual({ kind: 'missing' })
  expect(await run('true', { cwd: `${cwd}/gone` })).toMatchObject({ kind: 'ended', code: expect.toSatisfy((code) => code !== 0) })
})

test('one that takes too long is ended with everything that it has started', async () => {
  const file = join(makeFolder(), 'pid')
  expect(await run(`sleep 600 & echo $! > '${file}'; wait`, { withinMs: 1_000 })).toEqual({ kind: 'failed', why: 'it took too long' })
  expect(existsSync(file)).toBe(true)
  const pid = Number(readFileSync(file, 'utf8'))
  await until(() => !isRunning(pid), { what: 'the other one to be gone' })
})

test('one that says too much is ended', async () => {
  expect(await run('yes')).toEqual({ kind: 'failed', why: 'it printed too much' })
  expect(await run('yes >&2')).toEqual({ kind: 'failed', why: 'it printed too much' })
})
