import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { utf8Decode, utf8Encode } from '../../base/utf8.ts'
import { FrameDecoder } from '../../wire/frames.ts'
import { decodeToHolder, encodeFromHolder, type FromHolder, HOLDER_PROTOCOL, type ToHolder } from '../../wire/holder.ts'
import type { Because } from '../../wire/view.ts'
import { type Fate, fateIn } from './ending.ts'
import { Follower } from './follower.ts'

const RUN = 'r0000000001'

/** A holder that says what the test tells it to, over a real socket. */
class FakeHolder {
  readonly heard: ToHolder[] = []
  run = RUN
  private server: Server | null = null
  private socket: Socket | null = null

  async listen(path: string): Promise<void> {
    const server = createServer((socket) => this.serve(socket))
    this.server = server
    await new Promise<void>((resolve) => server.listen(path, resolve))
  }

  private serve(socket: Socket): void {
    const decoder = new FrameDecoder()
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        const message = decodeToHolder(frame)
        if (message !== null) this.heard.push(message)
        if (message?.kind === 'hello')
          this.say({
            kind: 'hello',
            hello: { speaks: HOLDER_PROTOCOL, capabilities: [], terminal: 't' as TerminalId, run: this.run as RunId, status: {} as never },
          })
      }
    })
  }

  say(message: FromHolder): void {
    this.socket?.write(encodeFromHolder(message))
  }

  output(seq: number, text: string): void {
    this.say({ kind: 'output', seq, bytes: utf8Encode(text) })
  }

  hangUp(): void {
    this.socket?.destroy()
  }

  async close(): Promise<void> {
    this.hangUp()
    const { server } = this
    this.server = null
    if (server !== null) await new Promise((resolve) => server.close(resolve))
  }

  get subscriptions(): number[] {
    return this.heard.flatMap((message) =>
      message.kind === 'subscribe' && message.subscribe.from !== 'oldest' ? [message.subscribe.from] : [],
    )
  }

  get typed(): string {
    return this.heard.flatMap((message) => (message.kind === 'input' ? [utf8Decode(message.bytes)] : [])).join('')
  }
}

let folder = ''
let socketPath = ''
let holder: FakeHolder
let follower: Follower | null = null
let shown = ''
let ends: string[] = []
let holds: boolean[] = []
let sizes: string[] = []
let fate: Fate = { kind: 'running' }
let fateAsked = 0
const taken: (() => void)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'f-'))
  socketPath = join(folder, 's')
  holder = new FakeHolder()
  await holder.listen(socketPath)
  shown = ''
  ends = []
  holds = []
  sizes = []
  fate = { kind: 'running' }
  fateAsked = 0
  taken.length = 0
})
afterEach(async () => {
  follower?.close()
  await holder.close()
  await rm(folder, { recursive: true, force: true })
})

function follow(seq = 0): Follower {
  follower = new Follower(
    { socketPath, run: RUN, seq },
    {
      onOutput: (bytes, done) => {
        shown += utf8Decode(bytes)
        taken.push(done)
      },
      onResized: ({ cols, rows }) => void sizes.push(`${cols}x${rows}`),
      onGap: () => ends.push('gap'),
      onExited: (status) => ends.push(JSON.stringify(status)),
      onLost: (why, ended) => ends.push(`${ended ? 'ended' : 'lost'}: ${why}`),
      onInputHeld: (held) => void holds.push(held),
      fate: () => {
        fateAsked += 1
        return Promise.resolve(fate)
      },
    },
  )
  follower.start()
  return follower
}

describe('following a run at its holder', () => {
  it('begins at the snapshot’s seq and shows what comes', async () => {
    follow(5)
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([5]))
    holder.output(5, 'hello ')
    holder.output(11, 'world')
    await vi.waitFor(() => expect(shown).toBe('hello world'))
  })

  it('reports a resize between the snapshot and the next byte', async () => {
    follow(5)
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([5]))
    holder.say({ kind: 'subscribed', from: 5, size: { cols: 100, rows: 30 }, answeredTo: 0 })
    await vi.waitFor(() => expect(sizes).toEqual(['100x30']))
    expect(ends).toEqual([])
  })

  it('goes on at the next byte after a lost link, and sends what was typed meanwhile', async () => {
    const mine = follow()
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0]))
    holder.output(0, 'abc')
    await vi.waitFor(() => expect(shown).toBe('abc'))
    await holder.close()
    await vi.waitFor(() => expect(fateAsked).toBeGreaterThan(0))
    mine.input(utf8Encode('typed'))
    await holder.listen(socketPath)
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0, 3]))
    holder.output(2, 'cde')
    await vi.waitFor(() => expect(shown).toBe('abcde'))
    expect(holder.typed).toBe('typed')
    expect(ends).toEqual([])
  })

  it('keeps all of a paste that comes before the link, and asks for no more than it can keep', async () => {
    const pieces = ['a', 'b', 'c'].map((letter) => letter.repeat(40 << 10))
    const mine = follow()
    for (const piece of pieces) mine.input(utf8Encode(piece))
    expect(holds).toEqual([true, true])
    await vi.waitFor(() => expect(holder.typed).toBe(pieces.join('')))
    expect(holds.at(-1)).toBe(false)
  })

  it('acknowledges only what the terminal has taken', async () => {
    follow()
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0]))
    holder.output(0, 'x'.repeat(300_000))
    await vi.waitFor(() => expect(taken).toHaveLength(1))
    expect(holder.heard.some(({ kind }) => kind === 'ack')).toBe(false)
    taken[0]!()
    await vi.waitFor(() => expect(holder.heard).toContainEqual({ kind: 'ack', bytes: 300_000 }))
  })

  it('says how the program ended', async () => {
    follow()
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0]))
    holder.say({ kind: 'exited', seq: 0, status: { code: 7 } })
    await vi.waitFor(() => expect(ends).toEqual(['{"code":7}']))
  })

  it('asks for a repaint when bytes are missing', async () => {
    follow()
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0]))
    holder.output(9, 'late')
    await vi.waitFor(() => expect(ends).toEqual(['gap']))
    expect(shown).toBe('')
  })

  it('believes in an end only if somebody knows of it', async () => {
    follow()
    await vi.waitFor(() => expect(holder.subscriptions).toEqual([0]))
    fate = { kind: 'unknown' }
    await holder.close()
    await vi.waitFor(() => expect(fateAsked).toBeGreaterThan(1))
    expect(ends).toEqual([])
    fate = { kind: 'over', text: 'exit 0' }
    await vi.waitFor(() => expect(ends).toEqual(['ended: exit 0']))
  })

  it('does not follow another run that has taken the socket', async () => {
    holder.run = 'r0000000002'
    follow()
    await vi.waitFor(() => expect(ends).toEqual(['ended: another program runs in it now']))
    expect(holder.subscriptions).toEqual([])
  })
})

describe('the fate of a run whose holder is silent', () => {
  it('is what the record says, and never a guess', () => {
    const asleep = (because: Because) => terminalView({ state: 'asleep', run: RUN, because })
    expect(fateIn(terminalView({ run: RUN }), RUN)).toEqual({ kind: 'running' })
    expect(fateIn(terminalView({ run: 'r0000000002' }), RUN).kind).toBe('over')
    expect(fateIn(asleep({ kind: 'exited', status: { code: 2 } }), RUN)).toEqual({ kind: 'over', text: 'exit 2' })
    expect(fateIn(asleep({ kind: 'lost' }), RUN)).toEqual({
      kind: 'over',
      text: 'its holder ended, or the machine went down',
    })
    expect(fateIn(undefined, RUN)).toEqual({ kind: 'over', text: 'the terminal was closed' })
  })
})
