import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { listen } from './server.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 's-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('the socket is the user’s alone, takes the place of a stale one, comes back when it is cleaned away, and goes at the end', async () => {
  const path = join(directory, 'sockets', 's.sock')
  const stale = join(directory, 's.sock')
  const first = await listen(stale, () => undefined)
  const accepted: string[] = []
  const second = await listen(stale, (socket) => accepted.push(String(socket.destroy().destroyed)), 20)
  expect(statSync(stale).mode & 0o777).toBe(0o600)
  rmSync(stale)
  await until(() => existsSync(stale), { what: 'the socket to come back' })
  connect(stale).on('error', () => undefined)
  await until(() => accepted.length === 1, { what: 'a link' })
  second.close()
  first.close()
  expect(existsSync(stale)).toBe(false)
  await expect(listen(path, () => undefined)).rejects.toThrow()
})
