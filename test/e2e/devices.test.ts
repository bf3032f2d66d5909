import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { ageWords } from '../../src/web/dialogs/settings/deviceWords.ts'
import {
  DAEMON_PROTOCOL,
  decodeFromDaemon,
  encodeToDaemon,
  type FromDaemon,
  fromMessage,
  type ToDaemon,
  toMessage,
} from '../../src/wire/daemon.ts'
import { CLOSE_LOGGED_OUT } from '../../src/wire/deviceProof.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { killDaemon } from '../support/daemon.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHome, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPageSocket } from '../support/pageSocket.ts'
import { openLoggedIn, shows } from '../support/pages.ts'
import { openPty } from '../support/ptyClient.ts'

/** Browsers that are logged in: what they hand to others, and how they are listed, renamed and revoked. */
let home: Home
let browser: TestBrowser
let page: Page
let origin: string

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  await run(home, ['new', '--name', 'shell', '--env', 'PS1=ready> ', '--', 'bash', '--norc', '--noprofile'])
  page = await openLoggedIn(home, browser)
  origin = new URL(page.url()).origin
  await shows(page, /ready>/)
})
afterAll(async () => {
  await browser.close()
  await home.dispose()
})

type Recorder = { readonly server: Server; readonly heard: string[]; readonly url: string; close(): Promise<void> }

/** A server on loopback that notes everything it is sent. */
async function record(port = 0): Promise<Recorder> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`)
    request.on('data', (data) => heard.push(String(data)))
    response.setHeader('Content-Type', 'text/html').end('<p>a dev server</p>')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    heard.push(`link ${request.url} ${JSON.stringify(request.rawHeaders)}`)
    socket.on('message', (data) => {
      heard.push(String(data))
      socket.send(JSON.stringify({ nonce: 'A'.repeat(43), proof: 'A'.repeat(86) }))
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const close = async () => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { server, heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}

const credentials = /cookie|authorization|bearer/i

test('another server on this machine that the same browser opens is given nothing', async () => {
  const other = await record()
  const tab = await page.context().newPage()
  await tab.goto(other.url)
  await tab.getByText('a dev server').waitFor()
  await tab.evaluate(() => fetch('/api/still', { credentials: 'include' }).then((reply) => reply.text()))
  expect(other.heard.length).toBeGreaterThan(1)
  expect(other.heard.filter((each) => credentials.test(each))).toEqual([])
  // Its script cannot reach what belongs to the page's address, nor ask the daemon for anything.
  expect(await tab.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([])
  const tried = await tab.evaluate(async (origin: string) => {
    const fetched = await fetch(`${origin}/api/still`, { credentials: 'include' }).then(
      () => 'answered',
      () => 'refused',
    )
    const linked = await new Promise((resolve) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`)
      socket.onopen = () => resolve('answered')
      socket.onerror = () => resolve('refused')
    })
    return [fetched, linked]
  }, origin)
  expect(tried).toEqual(['refused', 'refused'])
  expect(await page.context().cookies()).toEqual([])
  await tab.close()
  await other.close()
})

test('the key of this browser cannot be read out, not even by the page itself', async () => {
  const read = await page.evaluate(async () => {
    const opening = indexedDB.open('holdfast-device', 1)
    await new Promise((resolve) => {
      opening.onsuccess = resolve
    })
    const request = opening.result.transaction('device').objectStore('device').get('this')
    await new Promise((resolve) => {
      request.onsuccess = resolve
    })
    opening.result.close()
    const { keys } = request.result as { keys: CryptoKeyPair }
    const formats = ['jwk', 'pkcs8', 'raw'] as const
    const exports = formats.map((format) =>
      crypto.subtle.exportKey(format as 'jwk', keys.privateKey).then(
        () => 'read',
        () => 'refused',
      ),
    )
    return { exports: await Promise.all(exports), extractable: keys.privateKey.extractable, stored: { ...localStorage } }
  })
  expect(read.exports).toEqual(['refused', 'refused', 'refused'])
  expect(read.extractable).toBe(false)
  expect(JSON.stringify(read.stored)).not.toMatch(/[A-Za-z0-9_-]{43}/)
})

test('a server that takes the port of a daemon that was killed is found out, and hears nothing that it could use', async () => {
  const port = Number(new URL(origin).port)
  killDaemon(home)
  await page.getByText('Daemon away').waitFor()
  const thief = await until(() => record(port).catch(() => null), { what: 'the port' })
  await page.getByText('Another program answers at this address').waitFor()
  const { heard } = thief
  // A link that nothing answered is followed by a plain request, which may be what found it out.
  await until(() => heard.some((each) => each.startsWith('link /ws')), { what: 'the page to open a link to it', timeoutMs: 30_000 })
  expect(heard.filter((each) => credentials.test(each))).toEqual([])
  const messages = heard.filter((each) => each.startsWith('{'))
  for (const message of messages) expect(Object.keys(JSON.parse(message))).toEqual(['device', 'nonce'])
  // Opened anew it is the thief's page, which gets no more than any page does.
  await page.reload()
  await page.getByText('a dev server').waitFor()
  expect(heard.filter((each) => credentials.test(each))).toEqual([])
  await thief.close()
  await run(home, ['daemon', 'start'])
  await page.goto(origin)
  await page.locator('.banner[data-link="live"]').waitFor({ state: 'attached' })
  await shows(page, /ready>/)
  await page.keyboard.type('echo "sum=$((40+2))"\n')
  await shows(page, /^sum=42$/m)
})

type Listed = { id: string; name: string; address: string; open: number; isCurrent: boolean; addedBy: string | null; firstUsed: number }
const listed = () => json<Listed[]>(home, ['auth', 'ls'])

test('Settings → Devices shows each browser, marks this one, renames and revokes', async () => {
  const other = await openLoggedIn(home, browser)
  await shows(other, /ready>/)
  await page.keyboard.press('Control+,')
  await page.getByRole('tab', { name: 'Devices' }).click()
  const rows = page.locator('.device')
  await until(async () => (await rows.count()) === 2, { what: 'both devices' })
  const own = rows.filter({ hasText: 'This browser' })
  expect(await own.count()).toBe(1)
  const firstUsed = Math.min(...(await listed()).map((device) => device.firstUsed)) // this browser was the first
  const isShown = async () =>
    new RegExp(`Chrome on Linux.*${origin}.*First used ${ageWords(firstUsed, Date.now())} · last used now`).test(
      (await own.textContent()) ?? '',
    )
  await until(isShown, { what: 'the ages of this browser' }) // the page counts them from time to time
  await own.getByRole('button', { name: /^Rename/ }).click()
  await page.getByLabel('Name of the device').fill('Desk')
  await page.keyboard.press('Enter')
  await own.locator('strong', { hasText: 'Desk' }).waitFor()
  const theirs = rows.filter({ hasNotText: 'This browser' })
  await theirs.getByRole('button', { name: /^Revoke/ }).click()
  await theirs.getByRole('button', { name: 'Revoke now' }).click()
  await other.getByText('Logged out').waitFor()
  await until(async () => (await rows.count()) === 1, { what: 'one device to be left' })
  expect((await listed()).map(({ name, address, open }) => [name, address, open])).toEqual([['Desk', origin, 1]])
  await page.keyboard.press('Escape')
  await other.context().close()
})

test('a link made in the page shows by whom its device was added; one to view has that capability', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Log in another')
  await page.keyboard.press('Enter')
  const text = page.getByRole('textbox', { name: 'Log in another browser' })
  await until(async () => (await text.inputValue()).includes('/login#'), { what: 'the link' })
  const added = await browser.openPage()
  await added.goto(await text.inputValue())
  await shows(added, /ready>/)
  await page.keyboard.press('Escape')
  const made = (await run(home, ['auth', 'link', '--view', 'shell', '--name', 'wall screen'])).stdout
  expect(made).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#[\w-]{43}\n$/)
  const wall = await browser.openPage()
  await wall.goto(made.trim())
  await wall.waitForURL((url) => url.pathname === '/')
  await until(async () => (await listed()).length === 3, { what: 'the three devices' })
  const devices = await json<(Listed & { capability: unknown })[]>(home, ['auth', 'ls'])
  const [shell] = await json<{ id: string }[]>(home, ['ls'])
  expect(devices.find(({ name }) => name === 'wall screen')).toMatchObject({
    addedBy: null,
    capability: { kind: 'view', terminals: [shell?.id] },
  })
  expect(devices.find(({ addedBy }) => addedBy === 'Desk')).toMatchObject({ name: 'Chrome on Linux', capability: { kind: 'everything' } })
  await wall.context().close()
  await added.context().close()
})

test('a browser that may view one terminal sees it alone and changes nothing, whatever it asks through the door of the page', async () => {
  await run(home, ['new', '--name', 'other', '--', 'sh', '-c', 'echo nobody-sees-this; exec cat'])
  const [shell, other] = ['shell', 'other']
  const { origin: address, connect } = await openPageSocket(home, ['auth', 'link', '--view', 'shell'])
  const { socket, bearer, code } = await connect()
  const messages: FromDaemon[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? decodeFromDaemon(fromMessage(data)) : null
    if (message !== null) messages.push(message)
  })
  const say = (message: ToDaemon) => socket.send(toMessage(encodeToDaemon(message)))
  let asked = 0
  const ask = async (command: string, params: object) => {
    const id = ++asked
    say({ kind: 'request', id, command, params })
    const reply = () => messages.find((message) => message.kind === 'reply' && message.id === id)
    await until(() => reply() !== undefined, { what: `an answer to ${command}` })
    return (reply() as Extract<FromDaemon, { kind: 'reply' }>).answer
  }
  say({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: '', who: 'viewer' })
  expect(await ask('terminal.list', {})).toMatchObject({ ok: true, result: [{ name: shell }] })
  for (const terminal of [shell, other])
    expect(await ask('terminal.send', { terminal, text: 'x', enter: true })).toMatchObject({ ok: false, refusal: { code: 'may-not' } })
  expect(await ask('terminal.read', { terminal: other, history: 'all', format: 'text' })).toMatchObject({
    ok: false,
    refusal: { code: 'terminal-not-found' },
  })
  expect(await ask('web.login', {})).toMatchObject({ ok: false, refusal: { code: 'may-not' } })
  const headers = { Authorization: `Bearer ${bearer}`, Origin: address }
  const upload = await fetch(`${address}/api/files?terminal=${shell}&name=a`, { method: 'POST', headers, body: 'x' })
  expect(upload.status).toBe(403)
  expect(JSON.stringify(messages)).not.toMatch(/nobody-sees-this|"other"/)
  await ask('device.logOut', {})
  expect(await code).toBe(CLOSE_LOGGED_OUT)
  expect((await fetch(`${address}/api/files?terminal=${shell}&name=a`, { method: 'POST', headers, body: 'x' })).status).toBe(401)
})

test('the command line lists, renames and revokes, in words and in JSON, and refuses clearly', async () => {
  const wall = (await listed()).find(({ name }) => name === 'wall screen') ?? expect.fail('no wall screen')
  const text = (await run(home, ['auth', 'ls'])).stdout
  expect(text).toMatch(/^ID +NAME +ADDRESS +MAY +FIRST USED +LAST USED +ADDED BY\n/)
  expect(text).toMatch(/wall screen +http:\S+ +view 1 terminal +\d+s ago +\S/)
  expect(await json(home, ['auth', 'rename', wall.id.slice(0, 6), 'hall'])).toMatchObject({ id: wall.id, name: 'hall' })
  expect((await run(home, ['auth', 'revoke', 'wall screen'])).stderr).toContain('There is no device "wall screen".')
  expect((await run(home, ['auth', 'revoke'])).stderr).toContain('Name the devices, or use --all.')
  expect((await run(home, ['auth', 'link', 'shell'])).stderr).toContain('Terminals can be given only with --view.')
  expect((await run(home, ['auth', 'revoke', 'hall'])).stdout).toBe(`Revoked ${wall.id} (hall)\n`)
  const log = await json<{ what: string; device: string | null; details: string }[]>(home, ['auth', 'log'])
  expect(log.slice(0, 2)).toMatchObject([
    { what: 'revoked', device: wall.id, details: '"hall" by the command line' },
    { what: 'renamed', device: wall.id },
  ])
  expect(log.map(({ details }) => details).join('\n')).toMatch(/"Chrome on Linux" at http:\S+, added by "Desk"/)
  expect((await run(home, ['auth', 'log', '--lines', '0'])).stderr).toContain('--lines must be')
  expect((await run(home, ['auth', 'log', '-n', '1'])).stdout).toMatch(/^TIME +WHAT +DEVICE +DETAILS\n.* revoked /)
  expect(await json<unknown[]>(home, ['auth', 'revoke', '--all'])).toHaveLength(2)
  await page.getByText('Logged out').waitFor()
  expect((await run(home, ['auth', 'ls'])).stdout).toMatch(/^No browser is logged in/)
})

const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => (existsSync(`/proc/${pid}/cmdline`) ? readCommand(pid) : ''))

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

test.skipIf(process.platform !== 'linux')(
  'holdfast opens the browser on a private file; no process ever has the link among its arguments',
  async () => {
    const bin = join(home.path, 'bin')
    mkdirSync(bin)
    const [argv, done] = [join(home.path, 'argv'), join(home.path, 'done')]
    // Stays until it is told to go, as a browser would.
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${argv}\nwhile [ ! -e ${done} ]; do sleep 0.05; done\n`)
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const { CI: _ci, VITEST: _vitest, SSH_CONNECTION: _ssh, ...env } = environment(home)
    const shown = { ...env, DISPLAY: ':0', PATH: `${bin}:${env['PATH']}` }
    await using terminal = openPty(process.execPath, { args: [HOLDFAST], env: shown, cols: 200 })
    const [, token = ''] = await terminal.waitFor(/login#([\w-]{43})/)
    await until(() => existsSync(argv) && readFileSync(argv, 'utf8').endsWith('\n'), { what: 'the opener' })
    const seen = commandLines()
    expect(seen.some((line) => line.includes('xdg-open'))).toBe(true)
    expect(seen.filter((line) => line.includes(token))).toEqual([])
    const file = readFileSync(argv, 'utf8').trim()
    expect(file).not.toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(done, '')
    expect((await terminal.ended).code).toBe(0)
    // A browser is led from there to the login, through the gate.
    const opened = await browser.openPage()
    await opened.goto(`file://${file}`)
    await opened.waitForURL((url) => url.href.startsWith(`${origin}/`) && url.pathname === '/')
    await shows(opened, /ready>/)
    expect(existsSync(file)).toBe(false)
    await opened.context().close()
  },
)

const NOBODY = 54_321
const LISTEN = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a port that another user holds is said on the command line, by doctor, health and status, and the page is elsewhere',
  async () => {
    await using other = makeHome()
    const holding = spawn(process.execPath, ['-e', LISTEN], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const port = await new Promise<string>((resolve) => holding.stdout.once('data', (data) => resolve(String(data).trim())))
      writeFileSync(join(other.path, 'config.toml'), `[web]\nport = ${port}\n`)
      const words = `Port ${port} is used by another user's process (uid ${NOBODY}).`
      const opened = await run(other, ['--no-open'])
      expect(opened.stderr).toContain(`Warning: ${words}`)
      expect(opened.stdout).toMatch(/127\.0\.0\.1:\d+\/login#/)
      expect(opened.stdout).not.toContain(`:${port}/`)
      for (const verb of [['doctor'], ['daemon', 'status'], ['health', '--check']])
        expect((await run(other, verb)).stdout, verb.join()).toContain(words)
    } finally {
      holding.kill('SIGKILL')
    }
  },
)
