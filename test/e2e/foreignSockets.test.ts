import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { daemonsOf, views } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** A socket where the daemon's should be, made by somebody else: nothing may be sent to it. */
let home: Home
let server: Server | null = null
let heard = ''

beforeEach(() => {
  home = makeHomeWithOwnPort()
  heard = ''
})
afterEach(async () => {
  server?.close()
  server = null
  await home.dispose()
})

/** Listens as a daemon would, and writes down what it hears. */
async function listen(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  server = createServer((socket) => socket.on('data', (chunk) => (heard += chunk.toString('latin1'))).on('error', () => undefined))
  await new Promise<void>((resolve) => server?.listen(`${directory}/daemon.sock`, resolve))
  chmodSync(`${directory}/daemon.sock`, 0o600)
}

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const FOREIGN: Readonly<Record<string, (sockets: string) => Promise<void>>> = {
  'a directory that others can write to': async (sockets) => {
    await listen(sockets)
    chmodSync(sockets, 0o777)
  },
  'a directory that is a link': async (sockets) => {
    await listen(`${sockets}-elsewhere`)
    symlinkSync(`${sockets}-elsewhere`, sockets)
  },
  'a socket that is a link': async (sockets) => {
    await listen(`${sockets}-elsewhere`)
    mkdirSync(sockets, { mode: 0o700 })
    symlinkSync(`${sockets}-elsewhere/daemon.sock`, `${sockets}/daemon.sock`)
  },
  ...(isRoot && {
    'a directory of another user': async (sockets: string) => {
      await listen(sockets)
      chownSync(sockets, NOBODY, NOBODY)
    },
    'a socket of another user': async (sockets: string) => {
      await listen(sockets)
      chownSync(`${sockets}/daemon.sock`, NOBODY, NOBODY)
    },
  }),
}

test.each(Object.keys(FOREIGN))('nothing is sent to %s, and no daemon is started in its place', async (what) => {
  await FOREIGN[what]?.(`${home.path}/sockets`)
  const env = { MY_SECRET: 'not-for-others' }
  for (const args of [['new', '--env', 'MY_SECRET', '--', 'true'], ['ls'], ['daemon', 'stop'], ['daemon', 'status']]) {
    const { code, stderr } = await run(home, args, { env, timeoutMs: 10_000 })
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('is not safe to use')])
    expect(stderr).toContain('Nothing was sent.')
  }
  expect(heard).toBe('')
  expect(daemonsOf(home)).toEqual([])
})

test('the daemon speaks to no holder through a link, and says why; the program goes on', async () => {
  expect((await run(home, ['new', '--name', 'held', '--', 'sleep', '300'])).code).toBe(0)
  const [held] = await views(home)
  expect((await run(home, ['daemon', 'stop'])).code).toBe(0)
  const socket = `${home.path}/sockets/${held?.run}.sock`
  renameSync(socket, `${home.path}/moved.sock`)
  symlinkSync(`${home.path}/moved.sock`, socket)
  const [seen] = await views(home)
  expect(seen).toMatchObject({ state: 'live', trouble: expect.stringContaining('its socket is not safe to use: it is not a socket') })
  rmSync(socket)
  renameSync(`${home.path}/moved.sock`, socket)
  expect((await run(home, ['wait', 'held', '--idle', '1', '--timeout', '20'])).code).toBe(0)
  await until(async () => (await views(home))[0]?.trouble === null, { what: 'its holder to be reached again' })
})

test('a card that is a link is not used: what it names is not asked', async () => {
  expect((await run(home, ['new', '--name', 'held', '--', 'sleep', '300'])).code).toBe(0)
  const [held] = await views(home)
  expect((await run(home, ['daemon', 'stop'])).code).toBe(0)
  const card = `${home.path}/runs/${held?.run}/holder.json`
  renameSync(card, `${home.path}/card.json`)
  symlinkSync(`${home.path}/card.json`, card)
  expect((await views(home))[0]).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
  process.kill(held?.holderPid ?? 0, 'SIGKILL')
})
