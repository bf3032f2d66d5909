import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { until } from './clock.mjs'
import { closeAllLabsAtOnce, Lab } from './lab.mjs'
import { openPtyProbe } from './probe.mjs'
import { processesMentioning } from './processes.mjs'
import { programPath } from './programs.mjs'

afterEach(closeAllLabsAtOnce)

test('closing a lab ends what was started in it, also what no longer has a parent, and removes its files', async () => {
  const lab = new Lab()
  const script = '(sleep 1000 &) ; sleep 1000'
  spawn('sh', ['-c', script], { env: lab.environment(), stdio: 'ignore', detached: true })
  await until(() => processesMentioning(lab.directory).length === 3, { what: 'both sleeps' })
  await lab.close()
  expect(processesMentioning(lab.directory)).toEqual([])
  expect(existsSync(lab.directory)).toBe(false)
})

test('a probe types into a program in a terminal and sees each key come back', async () => {
  const lab = new Lab()
  const probe = await openPtyProbe(lab, { file: 'sh', args: [programPath('echoes.sh')], env: {}, seen: 'ready-to-echo' })
  const samples = await probe.keys(20, 1)
  expect(samples).toHaveLength(20)
  expect(Math.min(...samples)).toBeGreaterThan(0)
  await lab.close()
})

test('a probe whose client ends at once says so', async () => {
  const lab = new Lab()
  await expect(openPtyProbe(lab, { file: 'true', args: [], env: {}, seen: 'never' })).rejects.toThrow(/ended/)
  await lab.close()
})
