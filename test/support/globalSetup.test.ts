import { spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { until } from './milestone.ts'
import { processesMentioning } from './processes.ts'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

test('a run whose tests pass but leave something behind fails, names it and ends it', async () => {
  const args = [path('node_modules/vitest/vitest.mjs'), 'run', '--config', path('test/fixtures/leaky/vitest.config.ts')]
  const runner = spawn(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
  const code = new Promise((settle) => runner.once('exit', settle))
  const [stdout, stderr] = await Promise.all([text(runner.stdout), text(runner.stderr)])
  expect(await code).toBe(1)
  expect(stderr).toContain('The tests left something behind')
  expect(stderr).toMatch(/directory entry .*forgotten-/)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed, 0 skipped')
  const [, pid] = stderr.match(/process (\d+): sleep 300/) ?? []
  const isGone = () => !processesMentioning('sleep').some((seen) => seen.pid === Number(pid))
  await until(isGone, { what: 'the process to be ended' })
})
