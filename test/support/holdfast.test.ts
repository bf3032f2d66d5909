import process from 'node:process'
import { expect, test } from 'vitest'
import { environment, fixtureProgram, runProgram } from './holdfast.ts'

const shell = (script: string, options = {}) => runProgram('sh', ['-c', script], options)

test('a program is given its input, and its code and both outputs come back', async () => {
  expect(await shell('cat; echo grün >&2; exit 3', { input: 'hello' })).toEqual({ code: 3, stdout: 'hello', stderr: 'grün\n' })
})

test('output of many chunks comes back whole, characters included', async () => {
  const { stdout } = await runProgram(process.execPath, ['-e', 'process.stdout.write("€".repeat(300000))'])
  expect(stdout).toBe('€'.repeat(300_000))
})

test('input that nobody reads is no failure', async () => {
  expect(await runProgram(fixtureProgram('exits-at-once.sh'), ['4'], { input: 'x'.repeat(1 << 20) })).toMatchObject({ code: 4 })
})

test('a program that takes too long is ended and named with what it said', async () => {
  await expect(shell('echo so far; exec sleep 60', { timeoutMs: 300 })).rejects.toThrow(/sleep 60 took more than 300 ms\nso far/)
})

test('a program that ends but leaves its output to a child is late', async () => {
  await expect(shell('sleep 1 & echo started', { timeoutMs: 200 })).rejects.toThrow(/took more than 200 ms\nstarted/)
})

test('a missing program is a failure of its own', async () => {
  await expect(runProgram('/nonexistent/program', [])).rejects.toThrow('ENOENT')
})

test('the environment names the home and no display', () => {
  const env = environment('/some/home', { DISPLAY: undefined, EXTRA: '1' })
  expect(env).toMatchObject({ HOLDFAST_HOME: '/some/home', EXTRA: '1' })
  expect(env['DISPLAY']).toBe(undefined)
})
