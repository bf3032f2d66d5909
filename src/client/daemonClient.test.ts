import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusals } from '../base/refusal.ts'
import { utf8Decode, utf8Encode } from '../base/utf8.ts'
import type { Outcome } from '../wire/commands/commands.ts'
import {
  DAEMON_PROTOCOL,
  decodeToDaemon,
  encodeFromDaemon,
  type FromDaemon,
  fromMessage,
  type ToDaemon,
  toMessage,
} from '../wire/daemon.ts'
import type { TerminalView } from '../wire/view.ts'
import { DaemonClient, type Reconnect } from './daemonClient.ts'
import type { ChannelHandlers } from './stream.ts'
import type { Connect, TransportHandlers } from './transport.ts'

const NO_BYTES = new Uint8Array(0)
const view = { id: 't0000000001', name: 'one', state: 'live', run: 'r0000000001' } as TerminalView

/** A daemon at the other end of an imagined wire; every message goes through the real codecs. */
class FakeDaemon {
  heard: ToDaemon[] = []
  connections = 0
  reachable = true
  protocol = DAEMON_PROTOCOL
  private handlers: TransportHandlers | null = null

  readonly connect: Connect = async (handlers) => {
    await Promise.resolve()
    if (!this.reachable) throw new Error('nobody is there')
    this.connections += 1
    this.handlers = handlers
    return {
      send: (frame) => {
        const message = decodeToDaemon(fromMessage(toMessage(frame)))
        if (message === null) return
        this.heard.push(message)
        if (message.kind === 'hello') this.say({ kind: 'hello', protocol: this.protocol, version: '9.9.9', pid: 42 })
      },
      close: () => this.hangUp('closed by the client'),
    }
  }

  say(message: FromDaemon): void {
    this.handlers?.onFrame(fromMessage(toMessage(encodeFromDaemon(message))))
  }

  hangUp(why = 'the daemon died'): void {
    const handlers = this.handlers
    this.handlers = null
    handlers?.onClose(why)
  }

  get requests(): Extract<ToDaemon, { kind: 'request' }>[] {
    return this.heard.filter((message) => message.kind === 'request')
  }

  answer(result: unknown, blob: Uint8Array = NO_BYTES): void {
    this.say({ kind: 'reply', id: this.requests.at(-1)!.id, answer: { ok: true, result }, blob })
  }

  answerOpen(changes: Partial<Outcome<'terminal.open'>> = {}, blob = ''): void {
    const size = { cols: 80, rows: 24 }
    this.answer({ terminal: view, channel: 7, run: 'r0000000001', seq: 0, size, continued: false, ...changes }, utf8Encode(blob))
  }

  output(seq: number, text: string, channel = 7): void {
    this.say({ kind: 'output', channel, seq, bytes: utf8Encode(text) })
  }
}

const daemon = { current: new FakeDaemon() }
const clients: DaemonClient[] = []

function clientOf(reconnect: Reconnect = 'always'): DaemonClient {
  const client = new DaemonClient({ connect: daemon.current.connect, who: 'test', version: '0.0.0', reconnect })
  clients.push(client)
  return client
}

beforeEach(() => {
  vi.useFakeTimers()
  daemon.current = new FakeDaemon()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('a client', () => {
  it('says hello and knows whom it talks to', async () => {
    const link = await clientOf().ready()
    expect(link).toMatchObject({ ok: true, value: { version: '9.9.9', pid: 42 } })
    expect(daemon.current.heard[0]).toEqual({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: '0.0.0', who: 'test' })
  })

  it('refuses a daemon of another protocol, and does not try it again', async () => {
    daemon.current.protocol = DAEMON_PROTOCOL + 1
    const client = clientOf('always')
    expect(await client.ready()).toMatchObject({ ok: false, refusal: { code: 'daemon-version' } })
    expect(client.identity?.pid).toBe(42)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(daemon.current.connections).toBe(1)
  })

  it('matches answers to requests, in whatever order they come', async () => {
    const client = clientOf()
    await client.ready()
    const list = client.request('terminal.list', {})
    const workspaces = client.request('workspace.list', {})
    await vi.advanceTimersByTimeAsync(0)
    const [first, second] = daemon.current.requests
    daemon.current.say({ kind: 'reply', id: second!.id, answer: { ok: true, result: ['w'] }, blob: utf8Encode('bytes') })
    daemon.current.say({ kind: 'reply', id: first!.id, answer: { ok: false, refusal: refusals.stopping() }, blob: NO_BYTES })
    expect(await list).toMatchObject({ ok: false, refusal: { code: 'stopping' } })
    const answer = await workspaces
    expect(answer).toMatchObject({ ok: true, value: { result: ['w'] } })
    expect(answer.ok && utf8Decode(answer.value.blob)).toBe('bytes')
  })

  it('refuses what the lost link left unanswered, rather than asking twice', async () => {
    const client = clientOf()
    await client.ready()
    const asked = client.request('terminal.send', { terminal: 'one', text: 'rm' })
    await vi.advanceTimersByTimeAsync(0)
    daemon.current.hangUp()
    expect(await asked).toMatchObject({ ok: false, refusal: { code: 'daemon-unreachable' } })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(daemon.current.requests).toHaveLength(1)
  })

  it('lets requests wait for a link that is coming back, but not for ever', async () => {
    const client = clientOf()
    await client.ready()
    daemon.current.reachable = false
    daemon.current.hangUp()
    const patient = client.request('terminal.list', {})
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await patient).toMatchObject({ ok: false, refusal: { code: 'daemon-unreachable' } })
    const lucky = client.request('terminal.list', {})
    daemon.current.reachable = true
    await vi.advanceTimersByTimeAsync(2_000)
    daemon.current.answer([])
    expect(await lucky).toMatchObject({ ok: true })
  })

  it('tries again after 50 ms, then more and more patiently, up to 2 s', async () => {
    const client = clientOf()
    await client.ready()
    daemon.current.reachable = false
    const tries: number[] = []
    const start = Date.now()
    client.onState(({ kind }) => {
      if (kind === 'connecting') tries.push(Date.now() - start)
    })
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(8_000)
    const pauses = tries.map((at, index) => at - (tries[index - 1] ?? 0))
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000])
    daemon.current.reachable = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(client.state.kind).toBe('connected')
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(50)
    expect(client.state.kind).toBe('connected')
  })

  it('gives up at once when nobody was ever there, if it may only come back', async () => {
    daemon.current.reachable = false
    expect(await clientOf('afterFirst').ready()).toMatchObject({ ok: false, refusal: { code: 'daemon-unreachable' } })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('drops a daemon that does not say hello, and one that does not speak the protocol', async () => {
    const client = clientOf()
    await client.ready()
    daemon.current.say({ kind: 'event', event: null as never }) // JSON, but nothing to watch it: harmless
    const deaf = new DaemonClient({
      connect: (handlers) => Promise.resolve({ send: () => {}, close: () => handlers.onClose('') }),
      who: 'test',
      version: '0',
      reconnect: 'never',
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await deaf.ready()).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('does not answer') } })
  })

  it('shows watchers everything again after each reconnection, and events in between', async () => {
    const client = clientOf()
    const seen: string[] = []
    client.watch({ onAll: ({ terminals }) => seen.push(`all ${terminals.length}`), onEvent: (event) => seen.push(event.kind) })
    await client.ready()
    daemon.current.answer({ terminals: [view], workspaces: [] })
    daemon.current.say({ kind: 'event', event: { kind: 'closed', terminal: 't0000000001' } })
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(100)
    daemon.current.answer({ terminals: [], workspaces: [] })
    expect(seen).toEqual(['all 1', 'closed', 'all 0'])
  })
})

describe('a channel', () => {
  function open(window = 4096) {
    const seen: string[] = []
    const due: (() => void)[] = []
    const handlers: ChannelHandlers = {
      onSnapshot: ({ bytes, live }) => seen.push(`snapshot ${utf8Decode(bytes)}${live ? '' : ' asleep'}`),
      onOutput: (bytes, consumed) => {
        seen.push(utf8Decode(bytes).slice(0, 10))
        due.push(consumed)
      },
      onResized: ({ cols, rows }) => seen.push(`${cols}x${rows}`),
      onExited: (status) => seen.push(JSON.stringify(status)),
      onLink: (connected) => seen.push(connected ? 'up' : 'down'),
      onRefused: ({ code }) => seen.push(code),
    }
    const client = clientOf()
    const channel = client.openChannel({ terminal: 'one', window, handlers })
    return { client, channel, seen, due }
  }

  it('paints a snapshot, then shows what follows, even if all of it arrives at once', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen({ seq: 10 }, 'picture')
    daemon.current.output(10, 'abc')
    daemon.current.output(13, 'def')
    expect(seen).toEqual(['up', 'snapshot picture', 'abc', 'def'])
  })

  it('goes on at the next byte after a lost link, without a repaint', async () => {
    const { client, seen, channel } = open()
    await client.ready()
    daemon.current.answerOpen({}, 'picture')
    daemon.current.output(0, 'abc')
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(50)
    expect(daemon.current.requests.at(-1)?.params).toMatchObject({ from: { run: 'r0000000001', seq: 3 } })
    daemon.current.answerOpen({ channel: 1, seq: 3, continued: true })
    daemon.current.output(3, 'def', 1)
    expect(seen).toEqual(['up', 'snapshot picture', 'abc', 'down', 'up', 'def'])
    expect(channel.position).toEqual({ run: 'r0000000001', seq: 6 })
  })

  it('is sent nothing while it is paused, and goes on at the next byte afterwards', async () => {
    const { client, seen, channel } = open()
    await client.ready()
    daemon.current.answerOpen({}, 'picture')
    daemon.current.output(0, 'abc')
    channel.pause()
    expect(daemon.current.heard.at(-1)).toEqual({ kind: 'close', channel: 7 })
    daemon.current.output(3, 'unseen')
    channel.resume()
    expect(daemon.current.requests.at(-1)?.params).toMatchObject({ from: { run: 'r0000000001', seq: 3 } })
    daemon.current.answerOpen({ channel: 1, seq: 3, continued: true })
    daemon.current.output(3, 'def', 1)
    expect(seen).toEqual(['up', 'snapshot picture', 'abc', 'up', 'def'])
  })

  it('goes on with a new picture where that is wanted, and what was typed meanwhile is for the same program only', async () => {
    const { client, seen, channel } = open()
    await client.ready()
    daemon.current.answerOpen({}, 'picture')
    daemon.current.output(0, 'abc')
    for (const run of ['r0000000001', 'r0000000002']) {
      channel.pause()
      channel.input(new Uint8Array([65]))
      channel.resume({ history: 5 })
      expect(daemon.current.requests.at(-1)?.params).toEqual({ terminal: 'one', window: 4096, history: 5 })
      daemon.current.answerOpen({ channel: 1, seq: 900, run }, 'later')
    }
    expect(seen).toEqual(['up', 'snapshot picture', 'abc', 'up', 'snapshot later', 'up', 'snapshot later'])
    expect(daemon.current.heard.filter(({ kind }) => kind === 'input')).toHaveLength(1)
  })

  it('takes no answer that comes while it is paused, nor opens by itself after a lost link', async () => {
    const { client, seen, channel } = open()
    await client.ready()
    channel.pause()
    daemon.current.answerOpen({}, 'picture')
    expect(daemon.current.heard.at(-1)).toEqual({ kind: 'close', channel: 7 })
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(50)
    expect(daemon.current.requests).toHaveLength(1)
    channel.resume()
    daemon.current.answerOpen({}, 'picture')
    expect(seen).toEqual(['down', 'up', 'snapshot picture'])
  })

  it('repaints when the daemon cannot go on there', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen({}, 'old')
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(50)
    daemon.current.answerOpen({ channel: 1, run: 'r0000000002', seq: 99 }, 'new')
    daemon.current.output(99, 'x', 1)
    expect(seen).toEqual(['up', 'snapshot old', 'down', 'up', 'snapshot new', 'x'])
  })

  it('takes bytes that come twice only once, and never shows a stream with a hole', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.output(0, 'abc')
    daemon.current.output(1, 'bcd')
    daemon.current.output(9, 'xyz')
    expect(seen.slice(2)).toEqual(['abc', 'd', 'down'])
    await vi.advanceTimersByTimeAsync(50)
    expect(daemon.current.heard).toContainEqual({ kind: 'close', channel: 7 })
    expect(daemon.current.requests.at(-1)?.params).toMatchObject({ from: { seq: 4 } })
  })

  it('asks for more only when bytes have been consumed, in quarters of the window', async () => {
    const { client, due } = open(4096)
    await client.ready()
    daemon.current.answerOpen()
    const acks = () => daemon.current.heard.filter((message) => message.kind === 'ack')
    for (let piece = 0; piece < 3; piece += 1) daemon.current.output(piece * 512, 'x'.repeat(512))
    expect(acks()).toEqual([])
    due[0]!()
    due[0]!()
    expect(acks()).toEqual([])
    due[1]!()
    expect(acks()).toEqual([{ kind: 'ack', channel: 7, bytes: 1024 }])
  })

  it('does not acknowledge to a new channel what the old one sent', async () => {
    const { client, due } = open(4096)
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.output(0, 'x'.repeat(2048))
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(50)
    daemon.current.answerOpen({ channel: 7, seq: 2048, continued: true })
    due[0]!()
    expect(daemon.current.heard.some(({ kind }) => kind === 'ack')).toBe(false)
  })

  it('keeps what is typed without a link for the same program, and for no other', async () => {
    const { client, channel } = open()
    const typed = () => daemon.current.heard.flatMap((message) => (message.kind === 'input' ? [utf8Decode(message.bytes)] : []))
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.hangUp()
    channel.input(utf8Encode('ls'))
    await vi.advanceTimersByTimeAsync(50)
    daemon.current.answerOpen({ continued: true })
    expect(typed()).toEqual(['ls'])
    daemon.current.hangUp()
    channel.input(utf8Encode('rm -r .'))
    await vi.advanceTimersByTimeAsync(100)
    daemon.current.answerOpen({ run: 'r0000000002' }, 'another program')
    expect(typed()).toEqual(['ls'])
  })

  it('opens again by itself when the daemon breaks it', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.say({ kind: 'channel', channel: 7, note: { kind: 'broken', why: 'its holder is gone' } })
    await vi.advanceTimersByTimeAsync(50)
    expect(daemon.current.requests).toHaveLength(2)
    expect(seen.at(-1)).toBe('down')
  })

  it('begins with a snapshot again where it cannot go on from what it holds, so that it does not break for ever', async () => {
    const { client } = open()
    const breaks = () => daemon.current.say({ kind: 'channel', channel: 7, note: { kind: 'broken', why: 'it fell behind' } })
    const isContinued = () => 'from' in ((daemon.current.requests.at(-1)?.params ?? {}) as object)
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.output(0, 'some')
    breaks()
    await vi.advanceTimersByTimeAsync(50)
    expect(isContinued()).toBe(true)
    daemon.current.answerOpen({ continued: true, seq: 4 })
    breaks()
    await vi.advanceTimersByTimeAsync(200)
    expect(isContinued()).toBe(false)
  })

  it('tells of sizes and the exit in their place, and is over then', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen()
    daemon.current.say({ kind: 'channel', channel: 7, note: { kind: 'resized', seq: 0, size: { cols: 100, rows: 30 } } })
    daemon.current.output(0, 'bye')
    daemon.current.say({ kind: 'channel', channel: 7, note: { kind: 'exited', seq: 3, status: { code: 0 } } })
    daemon.current.hangUp()
    await vi.advanceTimersByTimeAsync(100)
    expect(seen.slice(2)).toEqual(['100x30', 'bye', '{"code":0}'])
    expect(daemon.current.requests).toHaveLength(1)
  })

  it('shows the last screen of an asleep terminal, and a refusal for one that is gone', async () => {
    const { client, seen } = open()
    await client.ready()
    daemon.current.answerOpen({ channel: null, run: null }, 'last')
    expect(seen).toEqual(['up', 'snapshot last asleep'])
    const other = open()
    await other.client.ready()
    const { id } = daemon.current.requests.at(-1)!
    daemon.current.say({ kind: 'reply', id, answer: { ok: false, refusal: refusals.terminalNotFound('one') }, blob: NO_BYTES })
    expect(other.seen).toEqual(['terminal-not-found'])
  })
})
