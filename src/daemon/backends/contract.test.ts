/** What every backend promises, tried on each with real programs and a real tmux. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { buildHolder } from '../../../test/support/realHolder.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { readCard } from '../../client/holderCards.ts'
import { type HolderLink, linkHolder } from '../../client/holderLink.ts'
import { runTmux } from '../../tmux/run.ts'
import type { FromHolder, SignalRequest } from '../../wire/holder.ts'
import { type Paths, pathsOf, runDirectory } from '../../wire/paths.ts'
import type { ExitStatus, Size } from '../../workspace/terminal/terminal.ts'
import { type Backend, type BackendWorld, holderBackend } from './backend.ts'
import { Holders } from './holders.ts'
import type { ProgramOrder } from './startHolder.ts'
import { afterlifeIn, tmuxBackend } from './tmuxBackend.ts'

const RUN = 'r0123456789' as RunId
const BACKENDS: Record<string, (world: BackendWorld) => Backend> = { holder: holderBackend, tmux: tmuxBackend }

type Streaming = { readonly from: number; readonly window: number; message(message: FromHolder): void; closed(why: string): void }

/** What the daemon does with a program, whichever backend has started it. */
const throughHolder = (holders: Holders) => ({
  async streamFrom(run: RunId, { from, window, ...handlers }: Streaming): Promise<HolderLink | { readonly why: string }> {
    await holders.ensure(run)
    const card = holders.card(run)
    if (card === null) return { why: 'it has no holder' }
    const linking = await linkHolder({ socketPath: card.socketPath, who: 'stream', handlers })
    if (linking.kind !== 'linked') return { why: linking.kind }
    linking.link.send({ kind: 'subscribe', subscribe: { from, window, follow: true } })
    return linking.link
  },
  input: (run: RunId, bytes: Uint8Array) => holders.send(run, { kind: 'input', bytes }),
  resize: (run: RunId, size: Size) => holders.send(run, { kind: 'resize', size }),
  signal: (run: RunId, request: SignalRequest) => holders.send(run, { kind: 'signal', request }),
  status: (run: RunId, withinMs: number) => holders.refresh(run, withinMs),
})

beforeAll(() => buildHolder())

describe.each(Object.keys(BACKENDS))('the backend %s', (kind) => {
  const open: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  /** A daemon's end of it; several may share a home, one after the other or at once. */
  function daemonIn(paths: Paths) {
    const seen = { exits: [] as ExitStatus[], lost: 0, links: [] as string[] }
    const world: BackendWorld = { paths, logBytes: () => 8 << 20, holders: undefined as unknown as Holders }
    const holders = new Holders(
      paths,
      {
        exited: (_, status) => seen.exits.push(status),
        lost: () => {
          seen.lost += 1
        },
        linkChanged: (_, link) => seen.links.push(link.kind),
        printed: () => undefined,
        resized: () => undefined,
      },
      afterlifeIn(() => world),
    )
    Object.assign(world, { holders })
    open.push(async () => holders.stop())
    return { backend: { ...(BACKENDS[kind]?.(world) as Backend), ...throughHolder(holders) }, holders, seen }
  }

  function home(): Paths {
    const path = mkdtempSync(join(tmpdir(), 'hb-'))
    const paths = pathsOf({ home: path, uid: 0, temporary: path, hash: () => '' })
    for (const directory of [paths.runs, paths.logs, paths.sockets]) mkdirSync(directory, { recursive: true })
    open.push(async () => {
      await runTmux(['-S', paths.tmuxSocket, 'kill-server'])
      rmSync(path, { recursive: true, force: true })
    })
    return paths
  }

  async function begin(script: string, changes: Partial<ProgramOrder> = {}) {
    const paths = home()
    const daemon = daemonIn(paths)
    const order: ProgramOrder = {
      ...{ terminal: 't0123456789' as TerminalId, run: RUN, command: '/bin/sh', args: ['-c', script], cwd: paths.home },
      ...{ env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color' }, size: { cols: 80, rows: 24 } },
      ...changes,
    }
    const started = await daemon.backend.spawn(order)
    if (!started.ok) throw new Error(started.reason)
    open.push(() => endProgram(daemon))
    await daemon.backend.adopt(readCard(runDirectory(paths, RUN)))
    return { paths, ...daemon, pid: started.status.pid }
  }

  async function endProgram({ backend, seen }: Pick<ReturnType<typeof daemonIn>, 'backend' | 'seen'>): Promise<void> {
    if (seen.exits.length > 0 || seen.lost > 0) return
    backend.signal(RUN, { signal: 'SIGKILL', to: 'tree' })
    await until(() => seen.exits.length + seen.lost > 0, { what: 'the program to end' })
  }

  async function follow(backend: Pick<ReturnType<typeof throughHolder>, 'streamFrom'>, from = 0) {
    const messages: FromHolder[] = []
    let link: HolderLink | null = null
    const streaming = await backend.streamFrom(RUN, {
      from,
      window: 1 << 20,
      message: (message) => {
        messages.push(message)
        if (message.kind === 'output') link?.send({ kind: 'ack', bytes: message.bytes.length })
      },
      closed: () => undefined,
    })
    if ('why' in streaming) throw new Error(streaming.why)
    link = streaming
    open.push(async () => streaming.close())
    const bytes = () => Buffer.concat(messages.flatMap((message) => (message.kind === 'output' ? [message.bytes] : [])))
    const has = (text: string) => until(() => bytes().toString().includes(text), { what: JSON.stringify(text) })
    return { messages, bytes, has, text: () => bytes().toString() }
  }

  const typed = (text: string): Uint8Array => Buffer.from(text)

  test('streams what a program prints from its first byte, and its end after its last', async () => {
    const { backend, seen } = await begin("printf 'a\\033[31m\\\\\\001 \\303\\244\\n'; exit 7")
    const stream = await follow(backend)
    await until(() => stream.messages.some(({ kind }) => kind === 'exited'), { what: 'the end' })
    expect(stream.text()).toBe('a\x1b[31m\\\x01 ä\r\n')
    expect(stream.messages.at(-1)).toMatchObject({ kind: 'exited', status: { code: 7 } })
    await until(() => seen.exits.length > 0, { what: 'the end to be told' })
    expect(seen.exits).toEqual([{ code: 7 }])
  })

  test('tells the signal that ended a program', async () => {
    const { seen } = await begin('kill -TERM $$')
    await until(() => seen.exits.length > 0, { what: 'the end to be told' })
    expect(seen.exits).toEqual([{ signal: 'SIGTERM' }])
  })

  test('streams from any seq, with nothing lost and nothing double', async () => {
    const { backend } = await begin('stty -echo; for i in 1 2 3 4 5; do echo line $i; done; read x; echo last')
    const whole = await follow(backend)
    await whole.has('line 5\r\n')
    const later = await follow(backend, 16)
    await later.has('line 5\r\n')
    backend.input(RUN, typed('\r'))
    await Promise.all([whole.has('last'), later.has('last')])
    expect(later.text()).toBe(whole.text().slice(16))
  })

  test('types in order, and a large paste whole', async () => {
    const { backend, paths } = await begin('stty raw -echo; echo ready; head -c 200012 > copy; echo done; read x')
    const stream = await follow(backend)
    await stream.has('ready')
    const paste = Buffer.alloc(200_000, 'päste\t;"\'\\#{x}\n')
    const all = [typed('first'), paste, typed('\x00last'), typed('\x1b[')]
    for (const bytes of all) expect(backend.input(RUN, bytes)).toBe(true)
    await stream.has('done')
    expect(readFileSync(`${paths.home}/copy`).equals(Buffer.concat(all))).toBe(true)
  })

  test('resizes, tells the program, and says so in the stream', async () => {
    const { backend } = await begin("stty size; trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done")
    const stream = await follow(backend)
    await stream.has('24 80\r\n')
    await stream.has('ready')
    expect(backend.resize(RUN, { cols: 100, rows: 30 })).toBe(true)
    await stream.has('30 100\r\n')
    expect(stream.messages).toContainEqual(expect.objectContaining({ kind: 'resized', size: { cols: 100, rows: 30 } }))
    expect((await backend.status(RUN, 1_000))?.size).toEqual({ cols: 100, rows: 30 })
  })

  test('interrupts who has the keyboard, and ends the whole tree', async () => {
    const { backend, seen, pid } = await begin("trap 'echo interrupted' INT; sleep 1000 & echo ready; while :; do sleep 0.05; done")
    const stream = await follow(backend)
    await stream.has('ready')
    backend.signal(RUN, { signal: 'SIGINT', to: 'foreground' })
    await stream.has('interrupted')
    backend.signal(RUN, { signal: 'SIGKILL', to: 'tree' })
    await until(() => seen.exits.length > 0, { what: 'the end to be told' })
    expect(seen.exits).toEqual([{ signal: 'SIGKILL' }])
    expect(() => process.kill(pid, 0)).toThrow()
  })

  test('knows who the program is and who has the keyboard', async () => {
    const { backend, pid } = await begin('echo ready; exec sleep 1000')
    const stream = await follow(backend)
    await stream.has('ready')
    await until(async () => (await backend.status(RUN, 1_000))?.foreground?.name === 'sleep', { what: 'the foreground' })
    expect(await backend.status(RUN, 1_000)).toMatchObject({ pid, seq: 7, oldest: 0, exit: null, degraded: null, foreground: { pid } })
  })

  test('outlives the daemon: another one adopts it and loses nothing', async () => {
    const first = await begin('stty -echo; echo one; read x; echo two; read y; exit 3')
    const before = await follow(first.backend)
    await before.has('one')
    first.holders.stop()
    const second = daemonIn(first.paths)
    open.push(() => endProgram(second))
    expect(await second.backend.adopt(readCard(runDirectory(first.paths, RUN)))).toEqual({ kind: 'connected' })
    const after = await follow(second.backend, 5)
    second.backend.input(RUN, typed('\r'))
    await after.has('two')
    expect(after.text()).toBe('two\r\n')
    second.backend.input(RUN, typed('\r'))
    await until(() => second.seen.exits.length > 0, { what: 'the end to be told' })
    expect(second.seen.exits).toEqual([{ code: 3 }])
    first.seen.exits.push({ code: 3 })
  })

  test('says why a program cannot be started, and leaves nothing behind', async () => {
    const paths = home()
    const { backend } = daemonIn(paths)
    const order = { terminal: 't0123456789' as TerminalId, run: RUN, args: [], cwd: paths.home, env: {}, size: { cols: 80, rows: 24 } }
    expect(await backend.spawn({ ...order, command: '/nowhere/to/be/found' })).toEqual({
      ok: false,
      reason: 'the command /nowhere/to/be/found was not found',
    })
    expect(await backend.survivors([])).toEqual([])
  })
})
