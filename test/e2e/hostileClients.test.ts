import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonClient } from '../../src/client/daemonClient.ts'
import {
  HELLO_WITHIN_MS,
  MOST_CHANNELS,
  MOST_CLIENTS,
  MOST_CONNECTIONS,
  MOST_REQUESTS,
  MOST_WAITS,
} from '../../src/daemon/clients/limits.ts'
import { MOST_EACH_BYTES } from '../../src/daemon/clients/peer.ts'
import { DAEMON_PROTOCOL, decodeFromDaemon, encodeToDaemon, type FromDaemon } from '../../src/wire/daemon.ts'
import { encodeFrame, encodeJsonFrame, FrameDecoder } from '../../src/wire/frames.ts'
import { connectTo, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** What no client may do to the daemon or to other clients, whatever it sends or does not read. */
const HELLO = 1
const MOST_BROKEN = 20
const REQUEST = 2
/** Of one terminal: a megabyte and a half of events. */
const CHANGES = 2_000
const text = (bytes: string) => new Uint8Array(Buffer.from(bytes, 'latin1'))

let home: Home
let daemon: DaemonClient
let pid = 0

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  await run(home, ['daemon', 'start'])
  daemon = await connectTo(home)
  pid = (await status(home)).pid
})

afterAll(async () => {
  daemon.close()
  await home.dispose()
})

/** A client without manners. */
function rawClient(): Promise<{ readonly socket: Socket; readonly messages: FromDaemon[]; readonly closed: Promise<void> }> {
  const socket = connect(`${home.path}/sockets/daemon.sock`)
  const decoder = new FrameDecoder()
  const messages: FromDaemon[] = []
  socket.on('data', (chunk) => {
    for (const frame of decoder.push(chunk)) {
      const message = decodeFromDaemon(frame)
      if (message !== null) messages.push(message)
    }
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return new Promise((resolve) => socket.on('connect', () => resolve({ socket, messages, closed })))
}

const hello = () => encodeToDaemon({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: '0', who: 'test' })

test.each([
  ['an object for a name', encodeJsonFrame(HELLO, { protocol: 1, version: '0', who: { toString: 0, valueOf: 0 } })],
  ['an object for a version', encodeJsonFrame(HELLO, { protocol: 1, version: { toString: 0, valueOf: 0 }, who: 'x' })],
  ['null', encodeJsonFrame(HELLO, null)],
  ['no JSON', encodeFrame(HELLO, text('{{{'))],
  ['a request before hello', encodeToDaemon({ kind: 'request', id: 1, command: 'terminal.list', params: {} })],
  ['a length that cannot be', text('\xff\xff\xff\xff\x01')],
])('closes the connection of a client that says %s, and no other', async (_, bytes) => {
  const client = await rawClient()
  client.socket.write(bytes)
  await client.closed
  expect((await status(home)).pid).toBe(pid)
  expect(daemon.state.kind).toBe('connected')
})

test.each([
  ['an id that is no number', encodeJsonFrame(REQUEST, { id: { valueOf: 0, toString: 0 }, command: 'terminal.list', params: {} })],
  ['a command that is none', encodeJsonFrame(REQUEST, { id: 1, command: ['terminal.list'], params: {} })],
  ['a request that is a list', encodeFrame(REQUEST, text('[]'))],
  ['an ack that is cut off', encodeFrame(17, text('\x01'))],
])('closes the connection of a greeted client that sends %s, and no other', async (_, bytes) => {
  const client = await rawClient()
  client.socket.write(hello())
  await until(() => client.messages.length > 0, { what: 'hello' })
  client.socket.write(bytes)
  await client.closed
  expect((await status(home)).pid).toBe(pid)
  expect(daemon.state.kind).toBe('connected')
})

test('refuses what one connection asks beyond its limit, and answers the rest', async () => {
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'cat', args: [] })
  if (!made.ok) throw new Error(made.refusal.message)
  const client = await connectTo(home)
  const { id } = made.value.result
  const waits = Array.from({ length: MOST_REQUESTS + 5 }, () =>
    client.request('terminal.wait', { terminal: id, until: { kind: 'text', pattern: 'here it is' } }),
  )
  const refused = await Promise.all(waits.slice(MOST_REQUESTS))
  expect(refused.map((answer) => (answer.ok ? '' : answer.refusal.code))).toEqual(Array(5).fill('too-many-requests'))
  await daemon.request('terminal.send', { terminal: id, text: 'here it is', enter: true })
  const answered = await Promise.all(waits.slice(0, MOST_REQUESTS))
  expect(answered.every((answer) => answer.ok)).toBe(true)
  client.close()
})

test('lets go of a client that does not say hello, and refuses a terminal too many to one that follows all it may', async () => {
  const silent = await rawClient()
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'cat', args: [] })
  if (!made.ok) throw new Error(made.refusal.message)
  const client = await connectTo(home)
  const codes: string[] = []
  const openSome = async (count: number): Promise<void> => {
    const batch = Array.from({ length: count }, () => client.request('terminal.open', { terminal: made.value.result.id, window: 65_536 }))
    codes.push(...(await Promise.all(batch)).map((answer) => (answer.ok ? '' : answer.refusal.code)))
  }
  while (codes.length < MOST_CHANNELS) await openSome(Math.min(100, MOST_CHANNELS - codes.length))
  expect(codes).toEqual(Array(MOST_CHANNELS).fill(''))
  // On a full machine the link of a channel to its holder may break, which frees a place; then another one may be opened.
  while (codes.at(-1) !== 'too-many-channels' && codes.length < MOST_CHANNELS + MOST_BROKEN) await openSome(1)
  expect(codes.at(-1)).toBe('too-many-channels')
  client.close()
  await silent.closed
  expect((await status(home)).pid).toBe(pid)
})

test('refuses to wait for more than all clients together may', async () => {
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'cat', args: [] })
  if (!made.ok) throw new Error(made.refusal.message)
  const { id } = made.value.result
  const count = Math.ceil((MOST_WAITS + 5) / MOST_REQUESTS)
  const clients = await Promise.all(Array.from({ length: count }, () => connectTo(home)))
  const refusals: string[] = []
  const waits = Array.from({ length: MOST_WAITS + 5 }, async (_, n) => {
    const answer = await clients[n % count]?.request('terminal.wait', { terminal: id, until: { kind: 'text', pattern: 'at last' } })
    if (answer?.ok === false) refusals.push(answer.refusal.code)
  })
  await until(() => refusals.length === 5, { what: 'five refusals' })
  expect(refusals).toEqual(Array(5).fill('too-many-waits'))
  await daemon.request('terminal.send', { terminal: id, text: 'at last', enter: true })
  await Promise.all(waits)
  expect(refusals).toHaveLength(5)
  for (const client of clients) client.close()
})

test('refuses a pattern that would never end, and goes on', async () => {
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'sh', args: ['-c', `echo ${'a'.repeat(60)}b; exec cat`] })
  if (!made.ok) throw new Error(made.refusal.message)
  const { id } = made.value.result
  const wait = (pattern: string) => daemon.request('terminal.wait', { terminal: id, until: { kind: 'text', pattern } })
  expect((await wait('ab')).ok).toBe(true)
  const { code, stderr } = await run(home, ['wait', id, '--text', '(a+)+$'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('takes too long to match')])
  expect((await wait('a+b')).ok).toBe(true)
  expect((await status(home)).pid).toBe(pid)
})

test('turns clients away when there are too many, says so, and takes them again afterwards', async () => {
  const clients = await Promise.all(Array.from({ length: MOST_CLIENTS + 4 }, rawClient))
  for (const { socket } of clients) socket.write(hello())
  await until(() => clients.every(({ messages }) => messages.length > 0), { what: 'an answer to each' })
  const turnedAway = clients.filter(({ messages: [first] }) => first?.kind === 'hello' && first.refusal !== undefined)
  expect(turnedAway.length).toBeGreaterThan(0)
  await Promise.all(turnedAway.map(({ closed }) => closed))
  for (const { socket } of clients) socket.destroy()
  await until(async () => (await run(home, ['ls'])).code === 0, { what: 'ls to be answered again' })
})

test('lets a client that stops reading skip what it could not see, and catch up with what is', async () => {
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, name: 'spins', command: 'cat', args: [] })
  if (!made.ok) throw new Error(made.refusal.message)
  const watcher = await rawClient()
  watcher.socket.write(hello())
  watcher.socket.write(encodeToDaemon({ kind: 'request', id: 1, command: 'watch', params: {} }))
  await until(() => watcher.messages.some(({ kind }) => kind === 'reply'), { what: 'the list' })
  watcher.socket.pause()
  const rename = (n: number) => daemon.request('terminal.rename', { terminal: made.value.result.id, name: `name-${n}` })
  for (let from = 0; from < CHANGES; from += 100) await Promise.all(Array.from({ length: 100 }, (_, n) => rename(from + n)))
  watcher.socket.resume()
  const names = () =>
    watcher.messages.flatMap((message) =>
      message.kind === 'event' && message.event.kind === 'terminal' ? [message.event.terminal.name] : [],
    )
  await until(() => names().at(-1) === `name-${CHANGES - 1}`, { what: 'the last name' })
  // What the daemon and the system hold for a client that does not read is some hundred events.
  expect(names().length).toBeLessThan(CHANGES / 2)
  watcher.socket.destroy()
})

test('takes no more connections than it can hold, keeps those that it has, and takes new ones afterwards', {
  timeout: 60_000,
}, async () => {
  const before = performance.now()
  const clients: Awaited<ReturnType<typeof rawClient>>[] = []
  // More at once than the system queues would not even be tried.
  while (clients.length < MOST_CONNECTIONS + 40) clients.push(...(await Promise.all(Array.from({ length: 56 }, rawClient))))
  let closed = 0
  for (const client of clients) void client.closed.then(() => (closed += 1))
  // Those beyond the limit are closed at once, those within it when they have not said hello in time.
  await until(() => closed >= 40, { what: 'those beyond the limit to be closed' })
  expect(performance.now() - before).toBeLessThan(HELLO_WITHIN_MS)
  expect(closed).toBeLessThan(MOST_CONNECTIONS)
  const answer = await daemon.request('terminal.list', {})
  expect(answer.ok).toBe(true)
  await Promise.all(clients.map((client) => client.closed))
  await until(async () => (await run(home, ['ls'])).code === 0, { what: 'ls to be answered again' })
  expect((await status(home)).pid).toBe(pid)
})

test('a client that was dropped because it did not read comes back where it was, and has lost no line', { timeout: 150_000 }, async () => {
  const LINES = 60_000
  const command = `read -r go; seq -f 'line %06.0f of what a slow reader has to get whole' 1 ${LINES}; echo the end; exec cat`
  const made = await daemon.request('terminal.new', { cwd: '/', env: {}, command: 'sh', args: ['-c', command] })
  if (!made.ok) throw new Error(made.refusal.message)
  const { id } = made.value.result
  const path = `${home.path}/sockets/daemon.sock`
  const links: Socket[] = []
  const slow = new DaemonClient({
    who: 'slow',
    version: '0',
    reconnect: 'always',
    connect: ({ onFrame, onClose }) =>
      new Promise((resolve) => {
        const socket = connect(path)
        const decoder = new FrameDecoder()
        socket.on('data', (chunk) => {
          for (const frame of decoder.push(chunk)) onFrame(frame)
        })
        socket.on('error', () => undefined)
        socket.on('close', () => onClose('closed'))
        socket.on('connect', () => resolve({ send: (frame) => socket.write(frame), close: () => socket.destroy() }))
        links.push(socket)
      }),
  })
  const clientsOf = async () => {
    const told = await daemon.request('daemon.status', {})
    return told.ok ? told.value.result.clients : expect.fail(told.refusal.message)
  }
  let drawn = ''
  let openings = 0
  const refusals: unknown[] = []
  slow.openChannel({
    terminal: id,
    window: 64 << 10,
    handlers: {
      onSnapshot: () => (openings += 1),
      onOutput: (bytes, consumed) => {
        drawn += Buffer.from(bytes).toString('latin1')
        consumed()
      },
      onResized: () => undefined,
      onExited: () => undefined,
      onLink: () => undefined,
      onRefused: (refusal) => refusals.push(refusal),
    },
  })
  await until(() => openings === 1, { what: 'the first picture' })
  await daemon.request('terminal.send', { terminal: id, text: 'go', enter: true })
  await until(() => drawn.includes('line 001000'), { what: 'the first lines' })
  // It asks for more than the daemon holds for one client, and does not read; a socket that is not read does not tell that it was closed.
  const before = await clientsOf()
  const [first] = links
  first?.pause()
  await daemon.request('terminal.wait', { terminal: id, until: { kind: 'text', pattern: '^the end$' }, timeoutMs: 30_000 })
  const whole = { terminal: id, history: 'all', format: 'text' } as const
  const one = await daemon.request('terminal.read', whole)
  if (!one.ok) throw new Error(one.refusal.message)
  const tooMany = Math.ceil((1.5 * MOST_EACH_BYTES) / one.value.result.content.length)
  const asked = Array.from({ length: Math.min(tooMany, MOST_REQUESTS - 2) }, () => slow.request('terminal.read', whole))
  await until(async () => (await clientsOf()) < before, { what: 'the daemon to drop it', timeoutMs: 60_000 })
  first?.resume()
  await Promise.all(asked)
  await until(() => links.length > 1, { what: 'it to come back' })
  await until(() => drawn.includes('the end'), { what: 'the last line', timeoutMs: 30_000 })
  expect(refusals).toEqual([])
  expect(openings).toBe(1) // it went on at the very next byte
  const numbers = [...drawn.matchAll(/^line (\d{6}) of what a slow reader has to get whole/gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: LINES }, (_, n) => n + 1))
  slow.close()
})
