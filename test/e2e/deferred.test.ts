import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { readCard } from '../../src/client/holderCards.ts'
import { linkHolder } from '../../src/client/holderLink.ts'
import { connectTo, killDaemon, status, views } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** Says nothing until it is told to: then a title, a bell, a question to the terminal, and lines. */
const QUIET = ['sh', '-c', String.raw`echo ready; while read line; do printf '\033]2;said %s\007\007\033[c' "$line"; seq 60; done`]

async function startAll(home: Home, names: readonly string[]): Promise<void> {
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  const client = await connectTo(home)
  for (const name of names) {
    const [command, ...args] = QUIET
    const made = await client.request('terminal.new', { name, command, args, cwd: home.path, env: {} })
    expect(made).toMatchObject({ ok: true })
    await client.request('terminal.wait', { terminal: name, until: { kind: 'text', pattern: 'ready' } })
  }
  client.close()
}

const terminalOf = async (home: Home, name: string) => (await views(home)).find((view) => view.name === name)

/** As an attached client does: on the holder's own socket, past the daemon. */
async function typePastDaemon(home: Home, run: string | null | undefined, text: string): Promise<void> {
  const linking = await linkHolder({
    socketPath: readCard(join(home.path, 'runs', run ?? '')).socketPath,
    who: 'test',
    handlers: { message: () => undefined, closed: () => undefined },
  })
  if (linking.kind !== 'linked') throw new Error(linking.kind)
  linking.link.send({ kind: 'input', bytes: Buffer.from(text) })
  linking.link.send({ kind: 'askStatus' })
  setTimeout(() => linking.link.close(), 200).unref()
}

const screensOf = async (home: Home) => (await status(home)).screens ?? { open: -1, opened: -1, deferred: -1 }

test('a daemon that comes back opens no screen before it is needed; nothing that is said meanwhile is lost', {
  timeout: 60_000,
}, async () => {
  await using home = makeHome()
  await startAll(home, ['one', 'two', 'three', 'four'])
  const runs = Object.fromEntries((await views(home)).map(({ name, run: own }) => [name, own]))
  expect((await run(home, ['daemon', 'stop'])).code).toBe(0)
  // Said while there is no daemon: it is behind what was kept.
  await typePastDaemon(home, runs['one'], 'alone\n')
  await run(home, ['daemon', 'start'])
  await until(async () => (await screensOf(home)).deferred === 3, { what: 'three of four to be left alone' })
  await until(async () => (await terminalOf(home, 'one'))?.title === 'said alone', { what: 'what was said while nobody listened' })
  expect(await terminalOf(home, 'one')).toMatchObject({ unread: true })
  expect(await screensOf(home)).toEqual({ open: 1, opened: 1, deferred: 3 })

  // Said while its screen is not there.
  await typePastDaemon(home, runs['two'], 'hello\n')
  await until(async () => (await terminalOf(home, 'two'))?.title === 'said hello', { what: 'its title' })
  expect(await terminalOf(home, 'two')).toMatchObject({ unread: true })
  // The terminal echoes the answer to its question.
  expect((await run(home, ['wait', 'two', '--text', String.raw`\^\[\[\?[0-9;]+c`, '--timeout', '10'])).code).toBe(0)
  const { stdout } = await run(home, ['read', 'two', '--history', 'all'])
  expect(stdout.match(/\^\[\[\?[0-9;]+c/g)).toHaveLength(1)
  expect(stdout.match(/^\d+$/gm)).toEqual(Array.from({ length: 60 }, (_, at) => `${at + 1}`))

  // The index has been past the others when it has what was printed last; they had nothing for it.
  await until(async () => /two.*\b37\b|\b37\b/s.test((await run(home, ['search', '37', '--terminal', 'two'])).stdout), {
    what: 'the index',
  })
  expect(await screensOf(home)).toEqual({ open: 2, opened: 2, deferred: 2 })

  // Looking is what opens it, and a crash changes nothing of that.
  expect((await run(home, ['read', 'three'])).stdout).toContain('ready')
  expect(await screensOf(home)).toEqual({ open: 3, opened: 3, deferred: 1 })
  await until(async () => (await run(home, ['checkpoint', 'create'])).code === 0, { what: 'the screens to be kept' })
  killDaemon(home)
  await run(home, ['daemon', 'start'])
  await until(async () => (await screensOf(home)).deferred === 4, { what: 'all of them to be left alone' })
  expect(await screensOf(home)).toEqual({ open: 0, opened: 0, deferred: 4 })
  expect((await views(home)).map(({ title }) => title)).toEqual(['said alone', 'said hello', '', ''])
  // Ending one that nobody looked at keeps its last screen all the same.
  expect((await run(home, ['sleep', 'four', '--force'])).code).toBe(0)
  expect((await run(home, ['read', 'four'])).stdout).toContain('ready')
})

test('a screen that several ask for in the same moment is opened once', { timeout: 60_000 }, async () => {
  await using home = makeHome()
  await startAll(home, ['one'])
  expect((await run(home, ['daemon', 'stop'])).code).toBe(0)
  const release = join(home.path, 'release')
  await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: `hold:screen:opening=${release}` } })
  await until(async () => (await screensOf(home)).deferred === 1, { what: 'it to be left alone' })
  const arrived = (): number =>
    existsSync(`${release}.arrived`) ? readFileSync(`${release}.arrived`, 'utf8').trim().split('\n').length : 0
  const clients: DaemonClient[] = []
  const another = async (): Promise<DaemonClient> => {
    const client = await connectTo(home)
    clients.push(client)
    return client
  }
  const asked = [
    (await another()).request('terminal.read', { terminal: 'one', history: 0, format: 'text' }),
    (await another()).request('terminal.open', { terminal: 'one', window: 1 << 16 }),
    (await another()).request('terminal.open', { terminal: 'one', window: 1 << 16 }),
    (await another()).request('terminal.wait', { terminal: 'one', until: { kind: 'text', pattern: 'ready|60' } }),
  ]
  await until(() => arrived() > 0, { what: 'the first to arrive' })
  await typePastDaemon(home, (await terminalOf(home, 'one'))?.run, 'hello\n') // a fifth who needs it
  // Whatever a connection asked before this has been begun.
  for (const client of clients) expect(await client.request('daemon.status', {})).toMatchObject({ ok: true })
  expect([arrived(), await screensOf(home)]).toEqual([1, { open: 0, opened: 0, deferred: 1 }])
  writeFileSync(release, '')
  expect((await Promise.all(asked)).map(({ ok }) => ok)).toEqual([true, true, true, true])
  await until(async () => (await terminalOf(home, 'one'))?.title === 'said hello', { what: 'what the fifth came for' })
  expect([arrived(), await screensOf(home)]).toEqual([1, { open: 1, opened: 1, deferred: 0 }])
  for (const client of clients) client.close()
})
