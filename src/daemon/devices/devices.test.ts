import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { deviceOf, makeKeys, makeNonce, openProved, type TestDevice } from '../../../test/support/device.ts'
import { ask, logIn, openSocket, originOf, portOf, WebUnderTest } from '../../../test/support/web.ts'
import { NotOurDaemon } from '../../client/deviceLink.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { statementOf } from '../../wire/deviceProof.ts'
import type { Web } from '../web/startWeb.ts'
import { USE_KEPT_EVERY_MS } from './devices.ts'

const DAY_MS = 24 * 60 * 60_000
const NOBODY = 54_321

let test: WebUnderTest
let web: Web
let device: TestDevice
const children: ChildProcess[] = []

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start()
  device = await logIn(web)
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await test.dispose()
})

const idOf = ({ device }: TestDevice) => web.devices.find(device)?.id ?? expect.fail('the device is not known')

/** A bare link: what it is told, and how it ends. */
async function openBare(origin = originOf(web)): Promise<{ socket: WebSocket; texts: string[]; code: Promise<number> }> {
  const socket = new WebSocket(`${originOf(web).replace('http', 'ws')}/ws`, { origin })
  const texts: string[] = []
  socket.on('message', (data) => texts.push(String(data)))
  const code = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { socket, texts, code }
}

const exchange = async (hello: object, proofFor: (nonce: string) => string): Promise<number> => {
  const { socket, texts, code } = await openBare()
  socket.send(JSON.stringify(hello))
  await vi.waitFor(() => expect(texts).toHaveLength(1))
  socket.send(JSON.stringify({ proof: proofFor(JSON.parse(texts[0] ?? '').nonce) }))
  return code
}

describe('a link', () => {
  it('is let in with the right key, and has what its device may do', async () => {
    const view = { kind: 'view', terminals: 'all' } as const
    await test.openSocket(web, await logIn(web, { capability: view, name: null, addedBy: null }))
    await test.openSocket(web, device)
    expect(test.peers.map(({ peer }) => [peer.capability, peer.device])).toEqual([
      [view, expect.stringMatching(/^d/)],
      [EVERYTHING, device.device],
    ])
  })

  it('is closed as logged out with the key of another device, for an unknown device, and with facts that differ', async () => {
    const other = await logIn(web)
    const nonce = makeNonce()
    const facts = (daemonNonce: string) => ({ origin: originOf(web), device: device.device, pageNonce: nonce, daemonNonce })
    const hello = { device: device.device, nonce }
    const signed =
      (changes: object, signer: 'device' | 'daemon' = 'device') =>
      (daemonNonce: string) =>
        device.keys.sign(statementOf(signer, { ...facts(daemonNonce), ...changes }))
    expect(await exchange(hello, (daemonNonce) => other.keys.sign(statementOf('device', facts(daemonNonce))))).toBe(4401)
    expect(await exchange({ device: 'd0000000000', nonce }, signed({ device: 'd0000000000' }))).toBe(4401)
    expect(await exchange(hello, signed({}, 'daemon'))).toBe(4401)
    expect(await exchange(hello, signed({ origin: 'http://127.0.0.1:1' }))).toBe(4401)
    expect(await exchange(hello, signed({ pageNonce: makeNonce() }))).toBe(4401)
    expect(await exchange(hello, signed({ daemonNonce: makeNonce() }))).toBe(4401)
    expect(test.peers).toEqual([])
    expect(test.authLog.filter(({ what }) => what === 'refused')).toHaveLength(6)
  })

  it('works at the address that the device logged in at, and at no other name of the same daemon', async () => {
    const elsewhere = `http://localhost:${portOf(web)}`
    await expect(openProved(elsewhere, device)).rejects.toThrow('4401')
    expect(test.authLog.at(-1)?.details).toMatch(/belongs to http:\/\/127\.0\.0\.1:\d+, not to http:\/\/localhost/)
  })

  it('hears nothing but proofs before it is proved', async () => {
    for (const message of [new Uint8Array([16, 1]), 'hello', '{}', '{"device":"x","nonce":"y"}', `"${'x'.repeat(2_000)}"`, '[]', 'null']) {
      const { socket, code } = await openBare()
      socket.send(message)
      expect(await code).toBe(1002)
    }
    expect(test.peers).toEqual([])
  })

  it('is one of few that may wait for their proof, so that nobody fills the daemon with them', async () => {
    const waiting = await Promise.all(Array.from({ length: 16 }, () => openBare()))
    await expect(openBare()).rejects.toThrow('503')
    waiting[0]?.socket.close()
    await waiting[0]?.code
    await test.openSocket(web, device)
    for (const { socket } of waiting) socket.terminate()
  })
})

describe('a server that has taken the port of the daemon', () => {
  /** Records all that a page tells it, and answers as it likes. */
  async function thief(answer: (text: string, reply: (text: string) => void) => void) {
    const recorded: string[] = []
    const server = createServer((request, response) => {
      recorded.push(JSON.stringify(request.headers))
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket, request) => {
      recorded.push(JSON.stringify(request.headers))
      socket.on('message', (data) => {
        recorded.push(String(data))
        answer(String(data), (text) => socket.send(text))
      })
    })
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const close = () => {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    }
    return { origin, recorded, close }
  }

  it('is found out by the page, and gets no signature, whatever it answers', async () => {
    const anyProof = JSON.stringify({ nonce: makeNonce(), proof: makeKeys().sign('anything') })
    for (const answer of [anyProof, '{}', 'hello', JSON.stringify({ bearer: makeNonce() })]) {
      const server = await thief((_, reply) => reply(answer))
      await expect(openProved(server.origin, device)).rejects.toThrow(NotOurDaemon)
      expect(server.recorded).toHaveLength(2) // headers, and the hello
      expect(JSON.parse(server.recorded[1] ?? '')).toEqual({ device: device.device, nonce: expect.any(String) })
      expect(server.recorded[0]).not.toMatch(/cookie|authorization/i)
      server.close()
    }
  })

  it('cannot pass the proofs of the true daemon on, because they name its address', async () => {
    const relayed = await openBare()
    const server = await thief((text, reply) => {
      relayed.socket.once('message', (data) => reply(String(data)))
      relayed.socket.send(text)
    })
    await expect(openProved(server.origin, device)).rejects.toThrow(NotOurDaemon)
    expect(server.recorded).toHaveLength(2)
    // Nor may it claim the page's address to the daemon.
    await expect(openBare(server.origin)).rejects.toThrow('403')
    relayed.socket.terminate()
    server.close()
  })

  it('gets nothing that works again out of all that was ever said on a link', async () => {
    const said: string[] = []
    const spying = { ...device, sign: async (statement: string) => said[said.push(await device.sign(statement)) - 1] ?? '' }
    const { bearer, socket, code } = await openSocket(web, spying)
    socket.close()
    await code
    expect(await exchange({ device: device.device, nonce: makeNonce() }, () => said[0] ?? '')).toBe(4401)
    expect((await ask(web, { path: '/api/still', headers: { Authorization: `Bearer ${bearer}` } })).status).toBe(401)
    const known = { device: device.device, daemon: device.daemon }
    await expect(openSocket(web, deviceOf(makeKeys(), known))).rejects.toThrow('4401')
  })
})

describe('a device', () => {
  it('that is revoked loses its open pages and its bearer in that moment, and others keep theirs', async () => {
    const other = await logIn(web)
    const [mine, second, theirs] = [await openSocket(web, device), await openSocket(web, device), await test.openSocket(web, other)]
    web.devices.revoke(idOf(device), 'a test')
    expect(test.peers.map(({ closed }) => closed)).toEqual([true, true, false])
    expect([await mine.code, await second.code]).toEqual([4401, 4401])
    await expect(openSocket(web, device)).rejects.toThrow('4401')
    theirs.socket.send(new Uint8Array([16, 1]))
    await vi.waitFor(() => expect(test.peers[2]?.frames).toHaveLength(1))
    expect([...test.kept.keys()]).toEqual([other.device])
    expect(test.authLog.at(-2)).toMatchObject({ what: 'revoked', device: device.device, details: expect.stringContaining('by a test') })
  })

  it('expires when it is not used, as many days as the setting says', async () => {
    test.clock += 29 * DAY_MS
    const open = await openSocket(web, device)
    open.socket.close()
    await open.code
    test.clock += 29 * DAY_MS
    expect(web.devices.find(device.device)).not.toBeNull()
    test.expireDays = 7
    expect(web.devices.find(device.device)).toBeNull()
    test.expireDays = 30
    test.clock += DAY_MS
    await expect(openSocket(web, device)).rejects.toThrow('4401')
    web.devices.sweep(new Set())
    expect(test.kept.size).toBe(0)
    expect(test.authLog.at(-1)).toMatchObject({ what: 'expired', device: device.device })
  })

  it('does not expire while a page of it is open, and writes its use at most once an hour', async () => {
    const writes = vi.spyOn(test.store, 'keepDevice')
    await test.openSocket(web, device)
    const open = new Set([idOf(device)])
    for (let minute = 0; minute < 120; minute++) {
      test.clock += 60_000
      web.devices.sweep(open)
    }
    expect(writes).toHaveBeenCalledTimes(2)
    expect(USE_KEPT_EVERY_MS).toBe(60 * 60_000)
    test.clock += 31 * DAY_MS
    web.devices.sweep(open)
    expect(web.devices.find(device.device)).toMatchObject({ used: test.clock })
  })

  it('is named by id, unique beginning of its id or name, and clearly refused otherwise', async () => {
    const other = await logIn(web, { capability: EVERYTHING, name: 'desk', addedBy: 'laptop' })
    await web.devices.rename(idOf(device), 'phone\u001b[31m')
    const named = (ref: string) => web.devices.resolve(ref)
    expect(named('desk')).toMatchObject({ ok: true, value: { id: other.device, addedBy: 'laptop' } })
    expect(named(device.device.slice(0, 8))).toMatchObject({ ok: true, value: { id: device.device } })
    expect(web.devices.find(device.device)?.name).not.toContain('\u001b')
    expect(named('d')).toMatchObject({ ok: false, refusal: { code: 'device-ambiguous' } })
    for (const ref of ['', 'nothing']) expect(named(ref)).toMatchObject({ ok: false, refusal: { code: 'device-not-found' } })
  })

  it('makes room for a new one where there are too many, the longest unused first', async () => {
    for (let n = 0; n < 64; n++) {
      test.clock += 1
      await web.devices.register({ key: `k${n}`, origin: 'http://x', name: 'x', capability: EVERYTHING, addedBy: null })
    }
    expect(web.devices.all()).toHaveLength(64)
    expect(web.devices.find(device.device)).toBeNull()
  })
})

/** These act as another user, which only root can. */
describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('another user of this machine', () => {
  function act(script: string, ...args: string[]): { readonly said: Promise<string>; readonly child: ChildProcess } {
    const child = spawn(process.execPath, ['-e', script, ...args], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const said = new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data).trim())))
    return { said, child }
  }
  const GET = `require('node:http').get(process.argv[1], (reply) => console.log(reply.statusCode))`
  const LINK = `const s = require('node:net').connect(Number(process.argv[1]), '127.0.0.1', () => s.write(['GET /ws HTTP/1.1', 'Host: 127.0.0.1:' + process.argv[1],
    'Origin: http://127.0.0.1:' + process.argv[1], 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''].join('\\r\\n')))
    s.once('data', (data) => console.log(String(data).slice(9, 12)))`
  const MAPPED = `require('node:http').get({ host: '::ffff:127.0.0.1', port: process.argv[1], headers: { Host: '127.0.0.1:' + process.argv[1] } }, (reply) => console.log(reply.statusCode))`
  const LISTEN = `require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listens'))`

  it('is refused at the door, whatever it asks for, and the log says so', async () => {
    expect(await act(GET, `${originOf(web)}/`).said).toBe('403')
    expect(await act(LINK, String(portOf(web))).said).toBe('403')
    expect(await act(MAPPED, String(portOf(web))).said).toBe('403')
    expect(test.authLog.at(-1)).toMatchObject({ what: 'refused', details: `a connection of another user's process (uid ${NOBODY})` })
    expect((await ask(web, { path: '/' })).status).toBe(200)
  })

  it('is let in where the settings trust it, such as a proxy', async () => {
    web = await test.start({ config: { port: 0, hosts: [], trustedUids: [String(NOBODY)] } })
    expect(await act(GET, `${originOf(web)}/`).said).toBe('200')
  })

  it('that holds the port is named, and the daemon does not come back to that port by itself', async () => {
    const port = portOf(web)
    await web.close()
    const { said, child } = act(LISTEN, String(port))
    expect(await said).toBe('listens')
    const config = { port, hosts: [], trustedUids: [] }
    const moved = await test.start({ config })
    expect(portOf(moved)).not.toBe(port)
    expect(moved.trouble).toContain(`Port ${port} is used by another user's process (uid ${NOBODY}). The page is now at ${moved.url}`)
    expect(test.logged.join()).toContain(`uid ${NOBODY}`)
    expect(test.authLog.at(-1)).toMatchObject({ what: 'port' })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    await moved.close()
    const again = await test.start({ config })
    expect([portOf(again), again.trouble]).toEqual([portOf(moved), null])
    const third = await test.start({ config })
    expect(portOf(third)).not.toBe(port)
  })
})
