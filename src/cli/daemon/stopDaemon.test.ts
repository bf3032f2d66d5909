import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localPaths } from '../../client/localPaths.ts'
import { DAEMON_PROTOCOL, decodeToDaemon, encodeFromDaemon } from '../../wire/daemon.ts'
import { FrameDecoder } from '../../wire/frames.ts'
import { stopDaemon } from './stopDaemon.ts'

let folder = ''
let server: Server | null = null
let child: ChildProcess | null = null
/** How it was ended; never settles while it lives. */
let ended: Promise<NodeJS.Signals | number | null>

const KEEPING_MS = 200 // what a daemon may need to keep everything
const SLOW_TO_STOP = `process.on('SIGTERM', () => setTimeout(() => process.exit(7), ${KEEPING_MS})); setTimeout(() => {}, 20_000); console.log('ready')`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x-'))
})
afterEach(async () => {
  server?.close()
  server = null
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  child = null
  await rm(folder, { recursive: true, force: true })
})

const cli = () =>
  ({ paths: { ...localPaths({ HOLDFAST_HOME: folder }), daemonSocket: join(folder, 's') } }) as Parameters<typeof stopDaemon>[0]

/** A socket that speaks for a process: asked to stop, it ends that process as the daemon ends itself. */
async function daemonOf(protocol: number): Promise<void> {
  const stand = spawn(process.execPath, ['-e', SLOW_TO_STOP], { stdio: ['ignore', 'pipe', 'ignore'] })
  child = stand
  ended = once(stand, 'exit').then(() => stand.signalCode ?? stand.exitCode)
  await once(stand.stdout, 'data')
  const listening = createServer((socket) => {
    const decoder = new FrameDecoder()
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        const message = decodeToDaemon(frame)
        if (message?.kind === 'hello') socket.write(encodeFromDaemon({ kind: 'hello', protocol, version: '2', pid: stand.pid ?? 0 }))
        if (message?.kind !== 'request') continue
        socket.write(
          encodeFromDaemon({ kind: 'reply', id: message.id, answer: { ok: true, result: { ended: 4 } }, blob: new Uint8Array(0) }),
        )
        stand.kill('SIGKILL')
      }
    })
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(join(folder, 's'), resolve))
}

describe('stopping the daemon', () => {
  it('is done when there is none', async () => {
    expect(await stopDaemon(cli(), { all: false })).toEqual({ ok: true, value: { wasRunning: false, ended: 0 } })
  })

  it('returns when it is gone, with the number of programs that went too', async () => {
    await daemonOf(DAEMON_PROTOCOL)
    expect(await stopDaemon(cli(), { all: true })).toEqual({ ok: true, value: { wasRunning: true, ended: 4 } })
    expect(await ended).toBe('SIGKILL')
  })

  it('reaches one of another version by signal, which leaves its programs running', async () => {
    await daemonOf(DAEMON_PROTOCOL + 1)
    expect(await stopDaemon(cli(), { all: true })).toMatchObject({ ok: false, refusal: { code: 'daemon-version' } })
    const asked = performance.now()
    expect(await stopDaemon(cli(), { all: false })).toMatchObject({ ok: true, value: { wasRunning: true } })
    expect(performance.now() - asked).toBeGreaterThan(KEEPING_MS - 10)
    expect(await ended).toBe(7)
  })
})
