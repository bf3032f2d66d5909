import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeKeys } from '../../../test/support/device.ts'
import {
  ask,
  askRaw,
  FAILING_FRAME,
  hostOf,
  INSIDE,
  logIn,
  openSocket,
  originOf,
  portOf,
  postLogin,
  tokenOf,
  WebUnderTest,
  WRONG_FRAME,
} from '../../../test/support/web.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { TOKEN_LIFE_MS } from '../devices/loginLinks.ts'
import type { Web } from './startWeb.ts'

let test: WebUnderTest
let web: Web

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start()
})

afterEach(() => test.dispose())

describe('a login', () => {
  it('hands its token over in the fragment, and registers a key that never left the browser', async () => {
    const { url } = web.makeLogin()
    expect(url).toMatch(new RegExp(`^http://127.0.0.1:${portOf(web)}/login#[A-Za-z0-9_-]{43}$`))
    const keys = makeKeys()
    const reply = await postLogin(web, tokenOf({ url }), keys)
    expect(JSON.parse(reply.body)).toEqual({ device: expect.stringMatching(/^d[0-9a-z]{10}$/), daemon: expect.stringMatching(/^.{87}$/) })
    expect([...test.kept.values()]).toMatchObject([{ key: keys.publicKey, origin: originOf(web), capability: { kind: 'everything' } }])
  })

  it('works once', async () => {
    const token = tokenOf(web.makeLogin())
    const replies = await Promise.all([postLogin(web, token), postLogin(web, token)])
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401])
  })

  it('works for ten minutes', async () => {
    const [early, late] = [tokenOf(web.makeLogin()), tokenOf(web.makeLogin())]
    test.clock += TOKEN_LIFE_MS - 1
    expect((await postLogin(web, early)).status).toBe(200)
    test.clock += 1
    expect((await postLogin(web, late)).status).toBe(401)
  })

  it('is not accepted from a query string, as a bearer, or without a usable key', async () => {
    const token = tokenOf(web.makeLogin())
    const still = (headers: Record<string, string>, query = '') => ask(web, { path: `/api/still?${query}`, headers })
    expect((await still({}, `token=${token}`)).status).toBe(401)
    expect((await still({ Authorization: `Bearer ${token}` })).status).toBe(401)
    const { publicKey } = makeKeys()
    for (const key of ['', 'x'.repeat(87), `${publicKey.slice(0, -4)}AAAA`, publicKey.slice(1)])
      expect((await postLogin(web, token, { publicKey: key, sign: () => '' })).status).toBe(400)
    expect((await postLogin(web, token)).status).toBe(200)
  })

  it('locks nobody out, however many wrong tokens came before', async () => {
    for (let i = 0; i < 30; i++) expect((await postLogin(web, 'wrong')).status).toBe(401)
    expect((await postLogin(web, tokenOf(web.makeLogin()))).status).toBe(200)
    const refusals = test.authLog.filter(({ what }) => what === 'refused')
    expect(refusals).toHaveLength(10)
    test.clock += 60_000
    await postLogin(web, 'wrong')
    expect(test.authLog.map(({ details }) => details)).toContain('20 more refusals in the minute before were not logged')
  })

  it('keeps a browser that logs in again the same device, with what the new link grants', async () => {
    const keys = makeKeys()
    const first = await logIn(web, undefined, keys)
    const open = await test.openSocket(web, first)
    const again = await logIn(web, { capability: { kind: 'view', terminals: 'all' }, name: null, addedBy: null }, keys)
    expect(again.device).toBe(first.device)
    expect(await open.code).toBe(1001)
    await test.openSocket(web, again)
    expect(test.peers.at(-1)?.peer.capability).toEqual({ kind: 'view', terminals: 'all' })
  })

  it('survives the daemon, which keeps nothing that could log in', async () => {
    const device = await logIn(web)
    await web.close()
    web = await test.start({ config: { port: portOf(web), hosts: [], trustedUids: [] } })
    await test.openSocket(web, device)
    expect(test.peers).toHaveLength(1)
    const fields = ['id', 'created', 'name', 'key', 'origin', 'capability', 'addedBy', 'used']
    expect([...test.kept.values()].map((kept) => Object.keys(kept).sort())).toEqual([fields.toSorted()])
  })

  it('works without a disk', async () => {
    const failing = { ...test.store, keepDevice: () => Promise.reject(new Error('disk full')) }
    web = await test.start({ store: failing })
    await test.openSocket(web, await logIn(web))
    expect(test.peers).toHaveLength(1)
  })

  it('never reaches the log', async () => {
    const { url } = web.makeLogin()
    const token = tokenOf({ url })
    await ask(web, { path: `/login?token=${token}`, headers: { Host: 'evil.example' } })
    await ask(web, { path: `/${token}`, headers: { Host: 'evil.example', Referer: url, Cookie: `x=${token}` } })
    await ask(web, { path: '/api/login', method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) })
    const bearer = await test.bearer(web, await logIn(web))
    await postLogin(web, token)
    await postLogin(web, token)
    await ask(web, { path: '/api/still', headers: { Authorization: bearer, Origin: 'http://evil.example' } })
    expect(test.logged.length).toBeGreaterThan(2)
    const all = JSON.stringify([test.logged, test.authLog])
    expect(all).not.toContain(token)
    expect(all).not.toContain(bearer.replace('Bearer ', ''))
  })

  it('can be led to by a file that only its owner can read, and that goes with the link', async () => {
    const files = () => readdirSync(test.directory).filter((name) => name.startsWith('holdfast-login-'))
    const wish = { capability: EVERYTHING, name: null, addedBy: null, file: { snap: null } }
    const { url, file = '' } = web.makeLogin(wish)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(`location.replace("${url}")`)
    await postLogin(web, tokenOf({ url }))
    expect(files()).toEqual([])
    web.makeLogin(wish)
    test.clock += TOKEN_LIFE_MS
    await postLogin(web, 'wrong')
    expect(files()).toEqual([])
    web.makeLogin(wish)
    await web.close()
    expect(files()).toEqual([])
    writeFileSync(join(test.directory, 'holdfast-login-0011223344556677.html'), 'of a daemon that was killed')
    await test.start()
    expect(files()).toEqual([])
  })
})

describe('an answer', () => {
  it('keeps pages out of caches and files with a hash in them', async () => {
    const Authorization = await test.bearer(web)
    const cacheOf = async (path: string) => (await ask(web, { path, headers: { Authorization } })).headers['cache-control']
    expect(await Promise.all(['/', '/login', '/api/still', '/nowhere', '/serviceWorker.js', '/manifest.webmanifest'].map(cacheOf))).toEqual(
      Array(6).fill('no-store'),
    )
    expect(await cacheOf('/assets/app.js')).toContain('immutable')
  })

  it('says which methods an address has', async () => {
    const headers = { Authorization: await test.bearer(web), Origin: originOf(web) }
    const reply = await ask(web, { path: '/', method: 'DELETE', headers })
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET'])
    expect((await ask(web, { path: '/api/login', headers })).headers['allow']).toBe('POST')
    expect((await ask(web, { path: '/ws', headers })).status).toBe(426)
  })

  it('never holds a file from outside the page', async () => {
    const Authorization = await test.bearer(web)
    writeFileSync(join(test.directory, 'notes.txt'), 'of no known type')
    const paths = [
      '/../../../etc/passwd',
      '/assets/../index.html',
      '/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      '/login/../index.html',
      '/login/..%2findex.html',
      '/assets',
      '/notes.txt',
      '/index.html',
      `http://${hostOf(web)}/`,
    ]
    for (const path of paths) {
      expect((await ask(web, { path })).body, path).not.toContain(INSIDE)
      expect((await ask(web, { path, headers: { Authorization } })).status, path).toBe(404)
    }
  })

  it('refuses bodies that are large, no JSON or no object', async () => {
    const post = (body: string, type = 'application/json', more = {}) =>
      ask(web, { path: '/api/login', method: 'POST', headers: { Origin: originOf(web), 'Content-Type': type, ...more }, body })
    const tries = await Promise.all([
      post('{'),
      post('[]'),
      post('"x"'),
      post('null'),
      post('{}', 'text/plain'),
      post(JSON.stringify({ token: 'x'.repeat(5000) })),
    ])
    expect(tries.map((reply) => reply.status)).toEqual([400, 400, 400, 400, 415, 413])
    const chunked = await askRaw(
      web,
      `POST /api/login HTTP/1.1\r\nHost: ${hostOf(web)}\r\nOrigin: ${originOf(web)}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2000\r\n${'x'.repeat(0x2000)}\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1.1 413/)
  })

  it('does not wait for those who never finish asking', async () => {
    web = await test.start({ timeouts: { headersMs: 60, requestMs: 120, checkMs: 20 } })
    const slowHead = askRaw(web, `GET / HTTP/1.1\r\nHost: ${hostOf(web)}\r\nX-Slow: `)
    const slowBody = askRaw(
      web,
      `POST /api/login HTTP/1.1\r\nHost: ${hostOf(web)}\r\nOrigin: ${originOf(web)}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    )
    expect(await slowHead).toMatch(/^HTTP\/1.1 408/)
    expect(await slowBody).toMatch(/^(HTTP\/1.1 408|$)/)
  })
})

describe('a WebSocket', () => {
  it('carries frames both ways without their length', async () => {
    const { socket, code } = await test.openSocket(web, await logIn(web))
    const message = new Promise<Uint8Array>((resolve) => socket.on('message', (data) => resolve(data as Buffer)))
    socket.send(new Uint8Array([16, 1, 2, 3]))
    expect([...(await message)]).toEqual([16, 1, 2, 3])
    expect(test.peers[0]!.peer.origin).toBe('web')
    expect(test.peers[0]!.frames.map(({ type, payload }) => [type, ...payload])).toEqual([[16, 1, 2, 3]])
    test.peers[0]!.peer.close()
    await code
    await vi.waitFor(() => expect(test.peers[0]!.closed).toBe(true))
  })

  it('is closed when it sends text or what the protocol does not have, without harm to others', async () => {
    const device = await logIn(web)
    const [text, wrong, good] = [await openSocket(web, device), await openSocket(web, device), await openSocket(web, device)]
    text.socket.send('hello')
    wrong.socket.send(new Uint8Array([WRONG_FRAME]))
    expect([await text.code, await wrong.code]).toEqual([1003, 1002])
    await vi.waitFor(() => expect(test.peers.map((one) => one.closed)).toEqual([true, true, false]))
    good.socket.close()
  })

  it('is closed alone when a message of it makes the server fail, and says nothing more', async () => {
    const cookie = await logIn(web)
    const [failing, good] = [await openSocket(web, cookie), await openSocket(web, cookie)]
    failing.socket.send(new Uint8Array([FAILING_FRAME]))
    failing.socket.send(new Uint8Array([1]))
    expect(await failing.code).toBe(1011)
    await vi.waitFor(() => expect(test.peers.map((one) => one.closed)).toEqual([true, false]))
    expect(test.peers[0]?.frames).toEqual([])
    good.socket.close()
  })

  it('is closed with the server, so that the page knows at once', async () => {
    const { code } = await openSocket(web, await logIn(web))
    await web.close()
    expect([1001, 1006]).toContain(await code)
  })
})

describe('the port', () => {
  it('is the same after a restart, also when it was a way out', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const port = (blocker.address() as AddressInfo).port
    const first = await test.start({ config: { port, hosts: [], trustedUids: [] } })
    expect(first.trouble).toBeNull()
    expect(portOf(first)).not.toBe(port)
    await first.close()
    await new Promise((resolve) => blocker.close(resolve))
    expect((await test.start({ config: { port, hosts: [], trustedUids: [] } })).url).toBe(first.url)
    const second = await test.start({ config: { port, hosts: [], trustedUids: [] } })
    expect(portOf(second)).toBe(port)
  })

  it('is found to answer, through the gate, and is taken again with the same address when it was lost', async () => {
    await web.ping(2_000)
    const { url } = web
    const { socket } = await openSocket(web, await logIn(web))
    await web.listenAgain()
    expect(web.url).toBe(url)
    await web.ping(2_000)
    expect(socket.readyState).toBe(1)
    await web.close()
    await expect(web.ping(2_000)).rejects.toThrow()
    await web.listenAgain()
    await web.ping(2_000)
  })

  it('is on loopback only', async () => {
    const address = await new Promise((resolve) =>
      connect({ host: '127.0.0.2', port: portOf(web) }, () => resolve('reached')).on('error', () => resolve('refused')),
    )
    expect(address).toBe('refused')
  })

  it('may be missing: the daemon is told in a sentence and runs on', async () => {
    const noPort = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit('error', new Error('EADDRINUSE')))
      return this
    })
    const none = await test.start()
    noPort.mockRestore()
    expect([none.url, none.trouble]).toEqual([null, expect.stringMatching(/no port/)])
  })

  it('says when the page was not built', async () => {
    expect((await test.start({ assets: join(test.directory, 'missing') })).trouble).toMatch(/not been built/)
  })
})
