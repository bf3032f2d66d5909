import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDevice } from '../../../test/support/device.ts'
import {
  type Ask,
  ask,
  askRaw,
  hostOf,
  INSIDE,
  logIn,
  originOf,
  portOf,
  postLogin,
  type Reply,
  tokenOf,
  WebUnderTest,
} from '../../../test/support/web.ts'
import type { Web } from './startWeb.ts'

let test: WebUnderTest
let web: Web
let device: TestDevice
let bearer: string

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start()
  device = await logIn(web)
  bearer = await test.bearer(web, device)
  test.peers.length = 0
})

afterEach(() => test.dispose())

/** Every row of the table, and the upgrade of every path in it. */
const everyAddress = (): Ask[] => [
  ...web.routes.map(({ method, path }) => ({ method, path })),
  ...[...new Set(web.routes.map(({ path }) => path)), '/', '/nowhere', '/ws/'].map((path) => ({ path, upgrade: true })),
  { path: '/nowhere' },
]

const isPublic = ({ path, method, upgrade }: Ask): boolean =>
  upgrade !== true && web.routes.some((route) => route.path === path && route.method === method && route.access !== 'device')
/** Let in to prove itself; nothing else is heard on it before. */
const isLink = ({ path, upgrade }: Ask): boolean => upgrade === true && path === '/ws'

const withHeaders = (address: Ask, headers: Record<string, string | string[]>): Ask => ({ ...address, headers })

function expectRefused(reply: Reply, address: Ask): void {
  const name = `${address.method ?? 'GET'} ${address.path}${address.upgrade ? ' (upgrade)' : ''}`
  expect(reply.upgraded, name).toBe(false)
  expect([401, 403], name).toContain(reply.status)
  expect(reply.body, name).not.toContain(INSIDE)
  expect(reply.headers['set-cookie'], name).toBeUndefined()
  expect(reply.headers['access-control-allow-origin'], name).toBeUndefined()
}

describe('the gate, for every route and every upgrade', () => {
  it('lets only the page’s own files and the login be public, and other sites lead to the login alone', () => {
    const having = (access: string) => web.routes.filter((route) => route.access === access).map(({ method, path }) => `${method} ${path}`)
    expect(having('public').sort()).toEqual([
      'GET /',
      'GET /assets/app.js',
      'GET /icons/icon.png',
      'GET /login/login.js',
      'GET /manifest.webmanifest',
      'GET /serviceWorker.js',
      'POST /api/login',
    ])
    expect(having('login')).toEqual(['GET /login'])
    expect(having('device').sort()).toEqual(['GET /api/still', 'GET /ws', 'POST /api/files'])
    expect(web.routes).toHaveLength(11)
  })

  it('refuses whoever shows nothing of a device', async () => {
    for (const address of everyAddress().filter((one) => !isPublic(one) && !isLink(one))) {
      expectRefused(await ask(web, withHeaders(address, { Origin: originOf(web) })), address)
    }
    expect(test.peers).toEqual([])
  })

  const forgeries: Record<string, () => Record<string, string | string[]>> = {
    'a foreign Host': () => ({ Host: 'evil.example' }),
    'a Host that a rebinding name server made': () => ({
      Host: `evil.example:${portOf(web)}`,
      Origin: `http://evil.example:${portOf(web)}`,
    }),
    'the right Host with another port': () => ({ Host: '127.0.0.1:1' }),
    'a Host without its port': () => ({ Host: '127.0.0.1' }),
    'a Host that only begins like ours': () => ({ Host: `${hostOf(web)}.evil.example` }),
    'an empty Host': () => ({ Host: '' }),
    'a foreign Origin': () => ({ Origin: 'https://evil.example' }),
    'an Origin on another port of this machine': () => ({ Origin: 'http://127.0.0.1:3000' }),
    'an Origin of the other scheme': () => ({ Origin: `https://${hostOf(web)}` }),
    'an added host over plain HTTP': () => ({ Host: 'box.example', Origin: 'http://box.example' }),
    'the Origin null': () => ({ Origin: 'null' }),
    'a request another site caused': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
    'a request another port of this machine caused': () => ({ 'Sec-Fetch-Site': 'same-site' }),
    'a frame of another site': () => ({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }),
  }
  for (const [name, headers] of Object.entries(forgeries)) {
    it(`refuses ${name}, even with a right bearer`, async () => {
      for (const address of everyAddress()) {
        const reply = await ask(web, withHeaders(address, { Authorization: bearer, Origin: originOf(web), ...headers() }))
        expectRefused(reply, address)
        expect(reply.status).toBe(403)
      }
      expect(test.peers).toEqual([])
    })
  }

  it('lets another site, or a file, lead a window to the login and nowhere else', async () => {
    const led = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    for (const address of everyAddress()) {
      const reply = await ask(web, withHeaders(address, led))
      if (address.path === '/login' && address.method === 'GET') expect(reply.status).toBe(200)
      else expectRefused(reply, address)
    }
  })

  it('refuses two Hosts, two Origins or two bearers', async () => {
    const raw = (headers: string) =>
      askRaw(web, `GET /api/still?x HTTP/1.1\r\n${headers}Authorization: ${bearer}\r\nConnection: close\r\n\r\n`)
    expect(await raw(`Host: ${hostOf(web)}\r\n`)).toMatch(/^HTTP\/1.1 400/) // it passes, and the query is wrong
    expect(await raw(`Host: ${hostOf(web)}\r\nHost: evil.example\r\n`)).toMatch(/^HTTP\/1.1 40[03]/)
    expect(await raw(`Host: ${hostOf(web)}\r\nOrigin: ${originOf(web)}\r\nOrigin: http://evil.example\r\n`)).toMatch(/^HTTP\/1.1 403/)
    expect(await raw(`Host: ${hostOf(web)}\r\nAuthorization: ${bearer}\r\n`)).toMatch(/^HTTP\/1.1 401/)
  })

  it('refuses an upgrade and every method but GET without an Origin', async () => {
    for (const address of everyAddress().filter((one) => one.upgrade || one.method === 'POST')) {
      expect((await ask(web, withHeaders(address, { Authorization: bearer }))).status).toBe(403)
    }
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      expect((await ask(web, { path: '/', method, headers: { Authorization: bearer } })).status).toBe(403)
    }
  })

  it('refuses a wrong, cut or foreign bearer, one in a cookie, a login token, and the device’s key and id', async () => {
    const secret = bearer.replace('Bearer ', '')
    const wrong: Record<string, string>[] = [
      ...['', 'Bearer ', 'Bearer x', bearer.slice(0, -1), `${bearer}x`, secret, bearer.replace('Bearer', 'Basic')].map((Authorization) => ({
        Authorization,
      })),
      { Authorization: `Bearer ${device.device}` },
      { Authorization: `Bearer ${device.keys.publicKey}` },
      { Authorization: `Bearer ${tokenOf(web.makeLogin())}` },
      { Cookie: `holdfast=${secret}` },
      { Cookie: `Authorization=${bearer}` },
    ]
    for (const address of everyAddress().filter((one) => !isPublic(one) && !isLink(one))) {
      for (const headers of wrong) expectRefused(await ask(web, withHeaders(address, { Origin: originOf(web), ...headers })), address)
    }
  })

  it('refuses a bearer whose device was revoked, has expired, or whose page is closed', async () => {
    const all = everyAddress().filter((one) => !isPublic(one) && !isLink(one))
    const expectNothing = async (Authorization: string) => {
      for (const address of all) expectRefused(await ask(web, withHeaders(address, { Origin: originOf(web), Authorization })), address)
    }
    const closing = await test.openSocket(web, device)
    closing.socket.close()
    await closing.code
    await expectNothing(`Bearer ${closing.bearer}`)
    const other = await logIn(web)
    const revoked = await test.bearer(web, other)
    web.devices.revoke(web.devices.find(other.device)!.id, 'a test')
    await expectNothing(revoked)
    test.clock += 30 * 24 * 60 * 60_000
    await expectNothing(bearer)
  })

  it('lets the right bearer in, under every name of this machine and by HTTPS under every configured host', async () => {
    const port = portOf(web)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'box.example']) {
      const scheme = host === 'box.example' ? 'https' : 'http'
      const upgrade = await ask(web, { path: '/ws', upgrade: true, headers: { Host: host, Origin: `${scheme}://${host}` } })
      expect(upgrade.upgraded, host).toBe(true)
      const page = await ask(web, { path: '/', headers: { Host: host } })
      expect([page.status, page.body], host).toEqual([200, INSIDE])
    }
    expect((await ask(web, { path: '/api/still?x', headers: { Authorization: bearer, Origin: originOf(web) } })).status).toBe(400)
    const elsewhere = { Authorization: bearer, Host: `localhost:${port}`, Origin: `http://localhost:${port}` }
    expect((await ask(web, { path: '/api/still?x', headers: elsewhere })).status).toBe(403)
  })

  it('says that an added host is for HTTPS, and takes the end of a tunnel on this machine as it is', async () => {
    const plain = await ask(web, { path: '/ws', upgrade: true, headers: { Host: 'box.example', Origin: 'http://box.example' } })
    expect([plain.status, plain.body]).toEqual([403, expect.stringContaining('only over HTTPS')])
    web = await test.start({ config: { port: 0, hosts: ['localhost:9000', '127.0.0.1:9001', 'localhost.evil.example'], trustedUids: [] } })
    const opens = async (host: string) =>
      (await ask(web, { path: '/ws', upgrade: true, headers: { Host: host, Origin: `http://${host}` } })).upgraded
    expect(await Promise.all(['localhost:9000', '127.0.0.1:9001', 'localhost.evil.example', 'localhost:9002'].map(opens))).toEqual([
      ...[true, true, false, false],
    ])
  })

  it('gives no cookie to anybody, and reads none', async () => {
    expect((await postLogin(web, tokenOf(web.makeLogin()))).headers['set-cookie']).toBeUndefined()
    for (const address of everyAddress()) {
      const reply = await ask(web, withHeaders(address, { Origin: originOf(web), Authorization: bearer }))
      expect(reply.headers['set-cookie'], address.path).toBeUndefined()
    }
  })

  it('carries the protective headers, whatever it is', async () => {
    const replies = await Promise.all(
      everyAddress().flatMap((address) => [
        ask(web, address),
        ask(web, withHeaders(address, { Authorization: bearer })),
        ask(web, withHeaders(address, { Host: 'x' })),
      ]),
    )
    for (const reply of replies) {
      expect(reply.headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'; base-uri 'none'/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
    }
  })
})
