import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { collectLeftovers } from './leftovers.ts'
import { until } from './milestone.ts'
import { processesMentioning } from './processes.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'leftovers-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const NO_GRACE = 0

test('a tidy run leaves nothing to report', async () => {
  expect(await collectLeftovers(root, NO_GRACE)).toEqual([])
})

const places = {
  environment: () => spawn('sh', ['-c', 'read line'], { env: { ...process.env, MINE: root }, detached: true }),
  'command line': () => spawn('sh', ['-c', 'read line', root], { detached: true }),
  'working directory': () => spawn('sh', ['-c', 'read line'], { cwd: root, detached: true }),
}

test.each(Object.entries(places))('a process with the root in its %s is reported and ended', async (_place, start) => {
  const child = start()
  const ended = new Promise((settle) => child.once('exit', (_code, signal) => settle(signal)))
  await until(() => processesMentioning(root).some(({ pid }) => pid === child.pid), { what: 'the process to be seen' })
  const leftovers = await collectLeftovers(root, NO_GRACE)
  expect(leftovers).toHaveLength(1)
  expect(leftovers[0]).toMatch(new RegExp(`^process ${child.pid}: sh -c read line`))
  expect(await ended).toBe('SIGKILL')
})

test('a process that is about to end is given a moment', async () => {
  const child = spawn('sh', ['-c', 'sleep 0.2'], { cwd: root, stdio: 'ignore' })
  await until(() => processesMentioning(root).some(({ pid }) => pid === child.pid), { what: 'the process to be seen' })
  expect(await collectLeftovers(root, 5_000)).toEqual([])
})

test('directories and bound sockets are reported', async () => {
  mkdirSync(join(root, 'forgotten'))
  const server = createServer()
  await new Promise<void>((settle) => server.listen(join(root, 's'), settle))
  const leftovers = await collectLeftovers(root, NO_GRACE)
  await new Promise((settle) => server.close(settle))
  expect(leftovers).toContain(`directory entry ${join(root, 'forgotten')}`)
  expect(leftovers).toContain(`directory entry ${join(root, 's')}`)
  if (process.platform === 'linux') expect(leftovers).toContain(`socket ${join(root, 's')}`)
})
