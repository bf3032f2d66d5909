import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Ask,
  ask,
  askRaw,
  COOKIE,
  hostOf,
  INSIDE,
  logIn,
  originOf,
  portOf,
  type Reply,
  WebUnderTest,
} from '../../../test/support/web.ts'
import type { Web } from './startWeb.ts'
import { SESSION_LIFE_MS } from './webSessions.ts'

let test: WebUnderTest
let web: Web

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start()
})

afterEach(() => test.dispose())

/** Every row of the table, and the upgrade of every path in it. */
const everyAddress = (): Ask[] => [
  ...web.routes.map(({ method, path }) => ({ method, path })),
  ...[...new Set(web.routes.map(({ path }) => path)), '/', '/nowhere', '/ws/'].map((path) => ({ path, upgrade: true })),
  { path: '/nowhere' },
]

const isPublic = ({ path, method, upgrade }: Ask): boolean =>
  upgrade !== true && web.routes.some((route) => route.path === path && route.method === method && route.access === 'public')

const withHeaders = (address: Ask, headers: Record<string, string | string[]>): Ask => ({ ...address, headers })

function expectRefused(reply: Reply, address: Ask): void {
  const name = `${address.method ?? 'GET'} ${address.path}${address.upgrade ? ' (upgrade)' : ''}`
  expect(reply.upgraded, name).toBe(false)
  expect([303, 401, 403], name).toContain(reply.status)
  if (reply.status === 303) expect([address.path, reply.headers['location']]).toEqual(['/', '/login'])
  expect(reply.body, name).not.toContain(INSIDE)
  expect(reply.headers['set-cookie'], name).toBeUndefined()
  expect(reply.headers['access-control-allow-origin'], name).toBeUndefined()
}

describe('the gate, for every route and every upgrade', () => {
  it('lets only the login page, its files, the login itself and what a system shows of an installed page be public', () => {
    const open = web.routes.filter((route) => route.access === 'public').map(({ method, path }) => `${method} ${path}`)
    expect(open.sort()).toEqual([
      'GET /icons/icon.png',
      'GET /login',
      'GET /login/login.js',
      'GET /manifest.webmanifest',
      'POST /api/login',
    ])
    expect(web.routes.map((route) => route.path)).toEqual(
      expect.arrayContaining(['/', '/ws', '/assets/app.js', '/serviceWorker.js', '/api/sessions', '/api/logout']),
    )
  })

  it('refuses whoever has no session', async () => {
    for (const address of everyAddress().filter((one) => !isPublic(one))) {
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
    'the Origin null': () => ({ Origin: 'null' }),
    'a request another site caused': () => ({ 'Sec-Fetch-Site': 'cross-site' }),
  }
  for (const [name, headers] of Object.entries(forgeries)) {
    it(`refuses ${name}, even with a right cookie`, async () => {
      const cookie = await logIn(web)
      for (const address of everyAddress()) {
        const reply = await ask(web, withHeaders(address, { Cookie: cookie, Origin: originOf(web), ...headers() }))
        expectRefused(reply, address)
        expect(reply.status).toBe(403)
      }
      expect(test.peers).toEqual([])
    })
  }

  it('refuses two Hosts or two Origins', async () => {
    const cookie = await logIn(web)
    const raw = (headers: string) => askRaw(web, `GET / HTTP/1.1\r\n${headers}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`)
    expect(await raw(`Host: ${hostOf(web)}\r\n`)).toMatch(/^HTTP\/1.1 200/)
    expect(await raw(`Host: ${hostOf(web)}\r\nHost: evil.example\r\n`)).toMatch(/^HTTP\/1.1 40[03]/)
    expect(await raw(`Host: ${hostOf(web)}\r\nOrigin: ${originOf(web)}\r\nOrigin: http://evil.example\r\n`)).toMatch(/^HTTP\/1.1 40[03]/)
  })

  it('refuses an upgrade and every method but GET without an Origin', async () => {
    const cookie = await logIn(web)
    for (const address of everyAddress().filter((one) => one.upgrade || one.method === 'POST')) {
      expect((await ask(web, withHeaders(address, { Cookie: cookie }))).status).toBe(403)
    }
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      expect((await ask(web, { path: '/', method, headers: { Cookie: cookie } })).status).toBe(403)
    }
  })

  it('refuses a wrong, cut, foreign or expired cookie', async () => {
    const cookie = await logIn(web)
    const wrong = [
      `${COOKIE}=`,
      `${COOKIE}=x`,
      cookie.slice(0, -1),
      `${cookie}x`,
      cookie.replace(COOKIE, 'holdfast_other'),
      `${COOKIE}=${[...test.kept.keys()][0]}`,
    ]
    for (const address of everyAddress().filter((one) => !isPublic(one))) {
      for (const Cookie of wrong) expectRefused(await ask(web, withHeaders(address, { Origin: originOf(web), Cookie })), address)
    }
    test.clock += SESSION_LIFE_MS
    for (const address of everyAddress().filter((one) => !isPublic(one))) {
      expectRefused(await ask(web, withHeaders(address, { Origin: originOf(web), Cookie: cookie })), address)
    }
  })

  it('lets the right cookie in, under every name of this machine and every configured host', async () => {
    const cookie = await logIn(web)
    const port = portOf(web)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'box.example']) {
      const reply = await ask(web, { path: '/', headers: { Host: host, Cookie: `other=1; ${cookie}` } })
      expect([reply.status, reply.body]).toEqual([200, INSIDE])
      const upgrade = await ask(web, { path: '/ws', upgrade: true, headers: { Host: host, Cookie: cookie, Origin: `http://${host}` } })
      expect(upgrade.upgraded).toBe(true)
    }
    expect((await ask(web, { path: '/ws', upgrade: true, headers: { Cookie: cookie, Origin: 'https://box.example' } })).upgraded).toBe(true)
  })

  it('carries the protective headers, whatever it is', async () => {
    const cookie = await logIn(web)
    const replies = await Promise.all(
      everyAddress().flatMap((address) => [
        ask(web, address),
        ask(web, withHeaders(address, { Cookie: cookie })),
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
