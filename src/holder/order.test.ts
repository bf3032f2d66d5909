import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeOrder, obstacleOf } from './order.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'order-'))
  writeFileSync(join(directory, 'plain'), 'text', { mode: 0o644 })
  writeFileSync(join(directory, 'script'), '#!/bin/sh\n', { mode: 0o755 })
})
afterAll(() => rmSync(directory, { recursive: true }))

const good = {
  terminal: 't0123456789',
  run: 'r0123456789',
  command: 'sh',
  args: ['-c', 'true'],
  cwd: '/',
  env: { PATH: '/bin' },
  size: { cols: 80, rows: 24 },
  runDirectory: '/tmp/run',
  socketPath: '/tmp/s.sock',
  segmentBytes: 1 << 20,
}

describe('an order', () => {
  it('is taken as it is', () => expect(decodeOrder(JSON.stringify(good))).toEqual(good))

  it.each([
    ['nothing', ''],
    ['half of one', JSON.stringify(good).slice(0, 50)],
    ['no object', '7'],
    ['no command', JSON.stringify({ ...good, command: '' })],
    ['args that are not text', JSON.stringify({ ...good, args: [1] })],
    ['an environment that is not text', JSON.stringify({ ...good, env: { A: 1 } })],
    ['a size of nothing', JSON.stringify({ ...good, size: { cols: 0, rows: 0 } })],
    ['a mask that is none', JSON.stringify({ ...good, umask: 0o1000 })],
    ['a log of nothing', JSON.stringify({ ...good, segmentBytes: 0 })],
    ['a path too long for a socket', JSON.stringify({ ...good, socketPath: `/${'x'.repeat(120)}` })],
  ])('that is %s is refused with a reason', (_, text) => expect(decodeOrder(text)).toBeTypeOf('string'))
})

describe('an obstacle', () => {
  const env = { PATH: '/usr/bin:/bin' }
  const socketPath = '/s.sock'
  it.each([
    ['sh', '/', null],
    ['/bin/sh', '/', null],
    ['no-such-command', '/', 'the command no-such-command was not found'],
    ['/no/such/file', '/', 'the command /no/such/file was not found'],
    ['/bin', '/', '/bin may not be executed'],
    ['sh', '/no/such/directory', 'the directory /no/such/directory does not exist'],
  ])('for %s in %s is %s', (command, cwd, obstacle) => expect(obstacleOf({ command, cwd, env, socketPath })).toBe(obstacle))

  it('is looked for from the directory the program will be in', () => {
    expect(obstacleOf({ command: './script', cwd: directory, env, socketPath })).toBeNull()
    expect(obstacleOf({ command: './plain', cwd: directory, env, socketPath })).toBe('./plain may not be executed')
    expect(obstacleOf({ command: 'script', cwd: '/', env: { PATH: directory }, socketPath })).toBeNull()
    expect(obstacleOf({ command: 'plain', cwd: '/', env: { PATH: `/nowhere:${directory}` }, socketPath })).toBe('plain may not be executed')
  })
})
