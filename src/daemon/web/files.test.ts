import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { ask, hostOf, originOf, portOf, WebUnderTest } from '../../../test/support/web.ts'
import { refusals, refused } from '../../base/refusal.ts'
import { FILE_LIMITS } from '../files/keptFiles.ts'
import type { Web } from './startWeb.ts'

let test: WebUnderTest
let web: Web
let bearer: string

beforeEach(async () => {
  test = new WebUnderTest()
  web = await test.start({ timeouts: { headersMs: 2_000, requestMs: 100, checkMs: 20 } })
  bearer = await test.bearer(web)
})
afterEach(() => test.dispose())

const headers = () => ({ Authorization: bearer, Origin: originOf(web) })
const drop = (query: string, body = 'hello') => ask(web, { path: `/api/files${query}`, method: 'POST', headers: headers(), body })
const head = (length: number) =>
  `POST /api/files?terminal=t1&name=a.bin HTTP/1.1\r\nHost: ${hostOf(web)}\r\nOrigin: ${originOf(web)}\r\nAuthorization: ${bearer}\r\nContent-Length: ${length}\r\n\r\n`
const left = () => (existsSync(join(test.directory, 'files', 't1')) ? readdirSync(join(test.directory, 'files', 't1')) : [])

it('keeps a file and answers with its path', async () => {
  const reply = await drop(`?terminal=t1&name=${encodeURIComponent('Foto 1.png')}`)
  expect(reply.status).toBe(200)
  const { path } = JSON.parse(reply.body) as { path: string }
  expect(path).toMatch(/\/files\/t1\/[0-9a-z]{8}-Foto-1\.png$/)
  expect(readFileSync(path, 'utf8')).toBe('hello')
})

it('takes none without a device, and none for another site', async () => {
  const path = '/api/files?terminal=t1&name=a'
  expect((await ask(web, { path, method: 'POST', headers: { Origin: originOf(web) }, body: 'x' })).status).toBe(401)
  expect(
    (await ask(web, { path, method: 'POST', headers: { Authorization: bearer, Origin: 'http://evil.example' }, body: 'x' })).status,
  ).toBe(403)
  expect((await ask(web, { path, method: 'POST', headers: { Authorization: bearer }, body: 'x' })).status).toBe(403)
  expect(left()).toEqual([])
})

it('says what is missing, and what is refused', async () => {
  expect(await drop('')).toMatchObject({ status: 400, body: 'The query must name a terminal and the file.\n' })
  for (const [refusal, status] of [
    [refusals.terminalNotFound('t1'), 404],
    [refusals.filesBusy(), 503],
    [refusals.fileNotWritten('the disk is full'), 507],
    [refusals.fileTorn(), 400],
  ] as const) {
    test.receive = () => Promise.resolve(refused(refusal))
    const reply = await drop('?terminal=t1&name=a')
    expect([reply.status, reply.body]).toEqual([status, `${refusal.message} ${refusal.hint}\n`])
  }
})

/** Writes the first part, the second one after a while, and resolves with the first that is answered. */
function converse(first: string, { then = '', afterMs = 0 } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(portOf(web), '127.0.0.1', () => socket.write(first))
    const timer = setTimeout(() => socket.write(then), afterMs)
    socket.once('data', (data) => {
      clearTimeout(timer)
      resolve(String(data))
      socket.destroy()
    })
  })
}

it('tells whoever sends too much, while it is still being sent', async () => {
  expect(await converse(`${head(FILE_LIMITS.fileBytes + 1)}${'x'.repeat(1_000)}`)).toMatch(
    /^HTTP\/1\.1 413 [\s\S]*The file is larger than 50 MB\./,
  )
  expect(left()).toEqual([])
})

it('hears whoever was refused out, so that the answer is not lost with the connection', async () => {
  test.receive = () => Promise.resolve(refused(refusals.fileTooLarge(FILE_LIMITS.fileBytes)))
  const next = `GET / HTTP/1.1\r\nHost: ${hostOf(web)}\r\nAuthorization: ${bearer}\r\n\r\n`
  const answers: string[] = []
  const socket = connect(portOf(web), '127.0.0.1', () => socket.write(`${head(10)}12345`))
  socket.on('data', (data) => {
    answers.push(String(data).slice(0, 12))
    if (answers.length === 1) socket.write(`67890${next}`)
  })
  await until(() => answers.length === 2, { what: 'both answers' })
  expect(answers).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  socket.destroy()
})

it('takes as long as it needs, while other bodies may not', async () => {
  const afterMs = 400 // four times as long as any other body may take
  expect(await converse(`${head(2)}a`, { then: 'b', afterMs })).toMatch(/^HTTP\/1\.1 200/)
})

it('leaves nothing of a file whose sender went away', async () => {
  const socket = connect(portOf(web), '127.0.0.1', () => socket.write(`${head(1_000)}half`))
  await until(() => left().some((name) => name.endsWith('.part')), { what: 'the first bytes' })
  socket.destroy()
  await until(() => left().length === 0, { what: 'nothing to be left' })
})
