import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Control } from './control.ts'
import { socketObstacle } from './ownSocket.ts'
import { findGuest, listGuests, listSessions } from './server.ts'

/** Real servers: what keeps us from them is asked before tmux is. */
let directory: string
let socket: string
const tmux = (...args: string[]): string => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).trim()

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ht-'))
  socket = join(directory, 's')
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'work', 'sleep 600')
})
afterEach(() => {
  tmux('kill-server')
  rmSync(directory, { recursive: true, force: true })
})

/** None of the ways to speak to it gets to it. */
async function isShutOut(path: string, why: string): Promise<void> {
  const pid = Number(tmux('display-message', '-p', '#{pane_pid}'))
  expect(await listGuests(path, null)).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) })
  expect(await listSessions(path)).toMatchObject({ kind: 'unknown', why: expect.stringContaining(why) })
  expect(await findGuest(path, { pane: '%0', pid })).toBe('gone')
  const handlers = { output: () => undefined, answered: () => undefined, notice: () => undefined, closed: () => undefined }
  await expect(Control.open(['-S', path, 'attach-session'], handlers)).rejects.toThrow(why)
  expect(tmux('list-clients')).toBe('')
}

test('a server of the user’s own is spoken to', async () => {
  expect(socketObstacle(socket)).toBeNull()
  expect(await listGuests(socket, null)).toMatchObject({ kind: 'panes', panes: [{ session: 'work' }] })
  expect(socketObstacle(join(directory, 'gone'))).toBeNull()
})

test('one in a directory that others can write to is not: they could put their own in its place', async () => {
  chmodSync(directory, 0o1777)
  await isShutOut(socket, 'other users can write to its directory')
  chmodSync(directory, 0o700)
})

test('one behind a link is not, and neither is what is no socket', async () => {
  symlinkSync(socket, join(directory, 'link'))
  await isShutOut(join(directory, 'link'), 'it is a link')
  writeFileSync(join(directory, 'file'), '')
  await isShutOut(join(directory, 'file'), 'it is not a socket')
})

test.runIf(process.getuid?.() === 0)('one that belongs to another user is not, even where we could', async () => {
  chownSync(socket, 12_345, 12_345)
  await isShutOut(socket, 'it belongs to another user')
  chownSync(socket, 0, 0)
  chownSync(directory, 12_345, 12_345)
  expect(socketObstacle(socket)).toBe('its directory belongs to another user')
  chownSync(directory, 0, 0)
})

test('a directory that only a group of the user’s own can write to is as good as his', () => {
  chmodSync(directory, 0o770)
  expect(socketObstacle(socket)).toBeNull()
  expect(socketObstacle(socket, { uid: process.getuid?.() ?? 0, gid: 4_711 })).toBe('other users can write to its directory')
})
