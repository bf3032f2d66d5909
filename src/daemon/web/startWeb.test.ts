import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ask,
  askRaw,
  COOKIE,
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
import { FAILURES_LIMIT, FAILURES_WINDOW_MS, TOKEN_LIFE_MS } from './loginTokens.ts'
import type { Web } from './startWeb.ts'
import { SESSION_LIFE_MS } from './webSessions.ts'

let test: WebUnderTest
let web: Web

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start()
})

afterEach(() => test.dispose())

describe('a login', () => {
  it('hands its token over in the fragment and sets a cookie that scripts and other sites cannot use', async () => {
    const { url } = web.makeLogin()
    expect(url).toMatch(new RegExp(`^http://127.0.0.1:${portOf(web)}/login#[A-Za-z0-9_-]{43}$`))
    const reply = await postLogin(web, tokenOf({ url }))
    expect(String(reply.headers['set-cookie'])).toMatch(
      new RegExp(`^${COOKIE}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`),
    )
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

  it('is not accepted from a query string, nor as a cookie', async () => {
    const token = tokenOf(web.makeLogin())
    expect((await ask(web, { path: `/?token=${token}` })).status).toBe(303)
    expect((await ask(web, { path: '/', headers: { Cookie: `${COOKIE}=${token}` } })).status).toBe(303)
  })

  it('refuses everything for a while after many failures', async () => {
    for (let i = 0; i < FAILURES_LIMIT; i++) expect((await postLogin(web, 'wrong')).status).toBe(401)
    const token = tokenOf(web.makeLogin())
    const reply = await postLogin(web, token)
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '60'])
    test.clock += FAILURES_WINDOW_MS
    expect((await postLogin(web, token)).status).toBe(200)
  })

  it('survives the daemon, keeping only a hash', async () => {
    const cookie = await logIn(web)
    expect(JSON.stringify([...test.kept.values()])).not.toContain(cookie.split('=')[1])
    await web.close()
    web = await test.start()
    expect((await ask(web, { path: '/', headers: { Cookie: cookie } })).status).toBe(200)
    test.clock += SESSION_LIFE_MS
    await web.close()
    web = await test.start()
    expect(test.kept.size).toBe(0)
  })

  it('works without a disk', async () => {
    const failing = { ...test.store, keepWebSession: () => Promise.reject(new Error('disk full')) }
    web = await test.start({ store: failing })
    expect((await ask(web, { path: '/', headers: { Cookie: await logIn(web) } })).status).toBe(200)
  })

  it('ends at logout, together with its open WebSockets', async () => {
    const [mine, other] = [await logIn(web), await logIn(web)]
    const ended = await openSocket(web, mine)
    const { socket } = await openSocket(web, other)
    const reply = await ask(web, { path: '/api/logout', method: 'POST', headers: { Cookie: mine, Origin: originOf(web) } })
    expect([reply.status, String(reply.headers['set-cookie'])]).toEqual([200, expect.stringContaining('Max-Age=0')])
    expect(await ended.code).toBe(4401)
    expect((await ask(web, { path: '/', headers: { Cookie: mine } })).status).toBe(303)
    expect((await ask(web, { path: '/', headers: { Cookie: other } })).status).toBe(200)
    await vi.waitFor(() => expect(test.peers.map((one) => one.closed)).toEqual([true, false]))
    socket.close()
  })

  it('can be listed and revoked by another one', async () => {
    const [mine, other] = [await logIn(web), await logIn(web)]
    const list = JSON.parse((await ask(web, { path: '/api/sessions', headers: { Cookie: mine } })).body)
    expect(list.sessions).toHaveLength(2)
    const id = list.sessions.find((session: { id: string }) => session.id !== list.current).id
    const headers = { Cookie: mine, Origin: originOf(web), 'Content-Type': 'application/json' }
    expect((await ask(web, { path: '/api/sessions/revoke', method: 'POST', headers, body: JSON.stringify({ id }) })).status).toBe(200)
    expect((await ask(web, { path: '/api/sessions/revoke', method: 'POST', headers, body: JSON.stringify({ id }) })).status).toBe(404)
    expect((await ask(web, { path: '/', headers: { Cookie: other } })).status).toBe(303)
    expect(test.kept.size).toBe(1)
  })

  it('never reaches the log', async () => {
    const { url } = web.makeLogin()
    const token = tokenOf({ url })
    await ask(web, { path: `/login?token=${token}`, headers: { Host: 'evil.example' } })
    await ask(web, { path: `/${token}`, headers: { Host: 'evil.example', Referer: url, Cookie: `${COOKIE}=${token}` } })
    await ask(web, { path: '/api/login', method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) })
    const cookie = String((await postLogin(web, token)).headers['set-cookie']).split(/[=;]/)[1] ?? ''
    await postLogin(web, token)
    await ask(web, { path: '/', headers: { Cookie: `${COOKIE}=${cookie}`, Origin: 'http://evil.example' } })
    expect(test.logged.length).toBeGreaterThan(2)
    expect(test.logged.join()).not.toContain(token)
    expect(test.logged.join()).not.toContain(cookie)
  })
})

describe('an answer', () => {
  it('keeps pages out of caches and files with a hash in them', async () => {
    const Cookie = await logIn(web)
    const cacheOf = async (path: string) => (await ask(web, { path, headers: { Cookie } })).headers['cache-control']
    expect(
      await Promise.all(['/', '/login', '/api/sessions', '/nowhere', '/serviceWorker.js', '/manifest.webmanifest'].map(cacheOf)),
    ).toEqual(Array(6).fill('no-store'))
    expect(await cacheOf('/assets/app.js')).toContain('immutable')
  })

  it('says which methods an address has', async () => {
    const headers = { Cookie: await logIn(web), Origin: originOf(web) }
    const reply = await ask(web, { path: '/', method: 'DELETE', headers })
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET'])
    expect((await ask(web, { path: '/api/login', headers })).headers['allow']).toBe('POST')
    expect((await ask(web, { path: '/ws', headers })).status).toBe(426)
  })

  it('never holds a file from outside the page', async () => {
    const Cookie = await logIn(web)
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
      expect((await ask(web, { path, headers: { Cookie } })).status, path).toBe(404)
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
    const { socket, code } = await openSocket(web, await logIn(web))
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
    const cookie = await logIn(web)
    const [text, wrong, good] = [await openSocket(web, cookie), await openSocket(web, cookie), await openSocket(web, cookie)]
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
    const first = await test.start({ config: { port, hosts: [] } })
    expect(first.trouble).toBeNull()
    expect(portOf(first)).not.toBe(port)
    await first.close()
    await new Promise((resolve) => blocker.close(resolve))
    expect((await test.start({ config: { port, hosts: [] } })).url).toBe(first.url)
    const second = await test.start({ config: { port, hosts: [] } })
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
