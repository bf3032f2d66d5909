/** Starts the built holder as the daemon would, and links to it as any peer would. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { crc32 } from 'node:zlib'
import type { RunId, TerminalId } from '../../src/base/ids.ts'
import { FrameDecoder } from '../../src/wire/frames.ts'
import {
  decodeFromHolder,
  encodeToHolder,
  type FromHolder,
  HOLDER_PROTOCOL,
  type HolderHello,
  type HolderOrder,
  type HolderReady,
  type HolderStatus,
  holderEnvironment,
  holderFlags,
  type Subscribe,
  type ToHolder,
} from '../../src/wire/holder.ts'
import { decodeSegment, type LogRecord, segmentSeq } from '../../src/wire/log.ts'
import { until } from './milestone.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENTRY = join(ROOT, 'build/holder/main.js')

/** Tests run from the source; the holder is a program, and runs from what was built of it. */
export const buildHolder = (): void =>
  void execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'src/holder'], { cwd: ROOT })

export type RealHolder = AsyncDisposable & {
  readonly directory: string
  readonly order: HolderOrder
  readonly ready: HolderReady
  readonly child: ChildProcess
  /** What it has logged on its standard error. */
  readonly complaints: () => string
  link(options?: Partial<LinkOptions>): Promise<TestLink>
  /** Resolves with the exit code, or the signal, of the holder itself. */
  readonly left: Promise<number | string>
}

export type HolderStart = Partial<HolderOrder> & { readonly trip?: string; readonly rawOrder?: string }

export async function startHolder({ trip, rawOrder, ...wanted }: HolderStart): Promise<RealHolder> {
  const directory = mkdtempSync(join(tmpdir(), 'h-'))
  const order: HolderOrder = {
    terminal: 't0123456789' as TerminalId,
    run: 'r0123456789' as RunId,
    command: '/bin/sh',
    args: [],
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: directory },
    size: { cols: 80, rows: 24 },
    runDirectory: join(directory, 'run'),
    socketPath: join(directory, 's.sock'),
    segmentBytes: 4 << 20,
    ...wanted,
  }
  const env = { ...process.env, ...holderEnvironment, ...(trip === undefined ? {} : { HOLDFAST_TRIP: trip }) }
  const child = spawn(process.execPath, [...holderFlags, ENTRY], { stdio: 'pipe', detached: true, env })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk))
  const left = new Promise<number | string>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone')))
  child.stdin.on('error', () => undefined)
  child.stdin.end(rawOrder ?? JSON.stringify(order))
  const ready = readyFrom(await textOf(child))
  const links: TestLink[] = []
  const link = async (options: Partial<LinkOptions> = {}): Promise<TestLink> => {
    const made = await linkTo(order.socketPath, options)
    links.push(made)
    return made
  }
  const dispose = async (): Promise<void> => {
    for (const each of links) each.close()
    if (child.exitCode === null && child.signalCode === null) await Promise.race([left, end(ready, link, left)])
    rmSync(directory, { recursive: true, force: true })
  }
  return { directory, order, ready, child, complaints: () => complaints, link, left, [Symbol.asyncDispose]: dispose }
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = ''
  if (child.stdout !== null) for await (const chunk of child.stdout) text += chunk
  return text
}

function readyFrom(line: string): HolderReady {
  return line === '' ? { ok: false, reason: 'it said nothing' } : (JSON.parse(line) as HolderReady)
}

async function end(ready: HolderReady, link: RealHolder['link'], left: Promise<unknown>): Promise<void> {
  if (!ready.ok) return void (await left)
  const control = await link()
  control.send({ kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
  await until(
    async () => {
      control.send({ kind: 'askStatus' })
      await control.next('status')
      return control.of('status').at(-1)?.status.exit
    },
    { what: 'the program to be killed' },
  )
  control.send({ kind: 'takeExit' })
  await left
}

export type LinkOptions = {
  /** Whether output is acknowledged as it comes. */
  readonly acks: boolean
  readonly hello: unknown
}

type OfKind<Kind> = Extract<FromHolder, { kind: Kind }>

export type TestLink = {
  readonly hello: HolderHello
  readonly socket: Socket
  readonly messages: FromHolder[]
  /** All output so far, which is checked to come without a hole that was not announced. */
  output(): Buffer
  text(): string
  of<Kind extends FromHolder['kind']>(kind: Kind): OfKind<Kind>[]
  /** Waits for one more message of this kind than there is now. */
  next<Kind extends FromHolder['kind']>(kind: Kind): Promise<OfKind<Kind>>
  /** Waits until there has been one. */
  seen<Kind extends FromHolder['kind']>(kind: Kind, timeoutMs?: number): Promise<OfKind<Kind>>
  send(message: ToHolder): void
  subscribe(request?: Partial<Subscribe>): void
  close(): void
  readonly isClosed: () => boolean
}

export function linkTo(
  socketPath: string,
  { acks = true, hello = { speaks: HOLDER_PROTOCOL, who: 'test' } }: Partial<LinkOptions> = {},
): Promise<TestLink> {
  const socket = connect(socketPath)
  const decoder = new FrameDecoder()
  const messages: FromHolder[] = []
  const send = (message: ToHolder): void => void (socket.writable && socket.write(encodeToHolder(message)))
  let closed = false
  const of = <Kind extends FromHolder['kind']>(kind: Kind): OfKind<Kind>[] =>
    messages.filter((each): each is OfKind<Kind> => each.kind === kind)
  const has = async <Kind extends FromHolder['kind']>(kind: Kind, count: number, timeoutMs = 10_000): Promise<OfKind<Kind>> => {
    await until(() => of(kind).length >= count, { what: `message ${count} of kind ${kind}`, timeoutMs })
    return of(kind)[count - 1] as OfKind<Kind>
  }
  return new Promise((resolve, reject) => {
    const link = (first: HolderHello): TestLink => ({
      hello: first,
      socket,
      messages,
      output: () => joined(messages),
      text: () => joined(messages).toString(),
      of,
      next: (kind) => has(kind, of(kind).length + 1),
      seen: (kind, timeoutMs) => has(kind, 1, timeoutMs),
      send,
      subscribe: (request = {}) => send({ kind: 'subscribe', subscribe: { from: 0, window: 1 << 20, follow: true, ...request } }),
      close: () => socket.destroy(),
      isClosed: () => closed,
    })
    socket.on('connect', () => send({ kind: 'hello', hello: hello as HolderHello & { who: string } }))
    socket.on('error', reject)
    socket.on('close', () => {
      closed = true
      reject(new Error('closed before hello'))
    })
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        const message = decodeFromHolder(frame)
        if (message === null) continue
        if (message.kind === 'hello') resolve(link(message.hello))
        else messages.push(message)
        if (acks && message.kind === 'output') send({ kind: 'ack', bytes: message.bytes.length })
      }
    })
  })
}

function joined(messages: readonly FromHolder[]): Buffer {
  const pieces: Uint8Array[] = []
  let expected: number | null = null
  for (const message of messages) {
    if (message.kind === 'subscribed') expected = message.from
    if (message.kind === 'gap') expected = message.to
    if (message.kind !== 'output') continue
    if (expected !== null && message.seq !== expected) throw new Error(`output at ${message.seq} where ${expected} was due`)
    expected = message.seq + message.bytes.length
    pieces.push(message.bytes)
  }
  return Buffer.concat(pieces)
}

/** Ends at the end of a test what was started in it. */
export class Holders {
  private readonly started: RealHolder[] = []

  async start(wanted: HolderStart): Promise<RealHolder & { status: HolderStatus }> {
    const holder = await this.launch(wanted)
    if (!holder.ready.ok) throw new Error(holder.ready.reason)
    return Object.assign(holder, { status: holder.ready.status })
  }

  /** Whether or not it comes up. */
  async launch(wanted: HolderStart): Promise<RealHolder> {
    const holder = await startHolder(wanted)
    this.started.push(holder)
    return holder
  }

  async endAll(): Promise<void> {
    for (const holder of this.started.splice(0)) await holder[Symbol.asyncDispose]()
  }
}

export const sh = (script: string): Pick<HolderStart, 'command' | 'args'> => ({ command: '/bin/sh', args: ['-c', script] })
export const typed = (text: string): ToHolder => ({ kind: 'input', bytes: Buffer.from(text) })

/** All records that can be read from the run's log. */
export function logOf({ order }: RealHolder): LogRecord[] {
  const names = readdirSync(order.runDirectory).filter((name) => segmentSeq(name) !== null)
  return names.sort().flatMap((name) => [...decodeSegment(readFileSync(join(order.runDirectory, name)), crc32).records])
}
