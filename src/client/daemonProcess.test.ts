import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeFromDaemon } from '../wire/daemon.ts'
import type { Paths } from '../wire/paths.ts'
import { connectDaemon, ensureDaemon } from './daemonProcess.ts'
import { localPaths } from './localPaths.ts'

/** A daemon that can do nothing but greet: the first that gets the socket stays, the others say so and leave. */
const greeter = (hello: Uint8Array): string => `
import { createServer } from 'node:net'
import { writeFileSync } from 'node:fs'
const home = process.env.HOLDFAST_HOME
const server = createServer((socket) => {
  socket.on('data', () => socket.write(Buffer.from('${Buffer.from(hello).toString('hex')}', 'hex')))
  socket.on('error', () => undefined)
})
server.on('error', () => {
  process.stderr.write(JSON.stringify({ refusal: { code: 'daemon-running', message: 'taken', hint: '' } }) + '\\n')
  process.exit(1)
})
server.listen(home + '/sockets/daemon.sock', () => writeFileSync(home + '/pid', String(process.pid)))
setTimeout(() => process.exit(0), 20_000)
`

let home = ''
let paths: Paths
const whom = () => ({ paths, who: 'test', version: '0' })

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'd-'))
  await mkdir(`${home}/sockets`)
  paths = { ...localPaths({ HOLDFAST_HOME: home }), daemonSocket: `${home}/sockets/daemon.sock` }
})
afterEach(async () => {
  const pid = Number(await readFile(`${home}/pid`, 'utf8').catch(() => '0'))
  if (pid > 0) process.kill(pid, 'SIGKILL')
  await rm(home, { recursive: true, force: true })
})

async function program(source: string): Promise<string> {
  const file = join(home, 'daemon.mjs')
  await writeFile(file, source)
  return file
}

const hello = encodeFromDaemon({ kind: 'hello', protocol: 1, version: '1', pid: 1 })

describe('finding the daemon', () => {
  it('refuses where none runs, and starts nothing', async () => {
    expect(await connectDaemon(whom())).toMatchObject({
      ok: false,
      refusal: { code: 'daemon-unreachable', message: expect.stringContaining('not running') },
    })
  })

  it('starts one, however many ask at once, and everyone reaches it', async () => {
    const entry = await program(greeter(hello))
    const links = await Promise.all([1, 2, 3].map(() => ensureDaemon({ ...whom(), entry })))
    for (const link of links) {
      expect(link.ok).toBe(true)
      if (link.ok) link.value.close()
    }
    const again = await connectDaemon(whom())
    expect(again.ok).toBe(true)
    if (again.ok) again.value.close()
  })

  it('says what a daemon that would not start has said', async () => {
    const refusal = { code: 'store-newer', message: 'Written by a newer one.', hint: 'Install it.' }
    const entry = await program(`process.stderr.write(${JSON.stringify(JSON.stringify({ refusal }))} + '\\n'); process.exit(1)`)
    expect(await ensureDaemon({ ...whom(), entry })).toEqual({ ok: false, refusal })
  })

  it('gives up on one that never answers', async () => {
    const entry = await program('setTimeout(() => process.exit(0), 1_500)')
    expect(await ensureDaemon({ ...whom(), entry, withinMs: 300 })).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('in time') },
    })
  })

  it('says that a home cannot be used', async () => {
    const file = fileURLToPath(import.meta.url)
    expect(await ensureDaemon({ ...whom(), paths: { ...paths, home: file, logs: `${file}/logs` } })).toMatchObject({
      ok: false,
      refusal: { code: 'home-unusable' },
    })
  })
})
