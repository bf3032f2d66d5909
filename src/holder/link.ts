/** One connection: says hello, turns frames into messages, and carries at most one subscription. A fault ends this link only. */
import type { Socket } from 'node:net'
import { FrameDecoder } from '../wire/frames.ts'
import {
  commonVersion,
  decodeToHolder,
  encodeFromHolder,
  encodeOutputInto,
  type FromHolder,
  HOLDER_PROTOCOL,
  type HolderHello,
  OUTPUT_HEADER_BYTES,
  type PeerHello,
  type ToHolder,
} from '../wire/holder.ts'
import { FRAME_BYTES, type Subscriber, type SubscriberLink } from './subscriber.ts'

/** Whoever connects and says nothing is not a peer of ours. */
const HELLO_WITHIN_MS = 5_000
/** A peer that wants the output asks for it right after hello. */
const SUBSCRIBES_WITHIN_MS = 500
/** What may wait in the socket; beyond it the log keeps the bytes better. */
const SOCKET_BYTES = 256 << 10
/** Larger than the input queue: a frame beyond it could not be taken anyway. */
const LARGEST_FRAME_BYTES = 17 << 20

/** Shorter ones are cheaper to allocate than to look after. */
const POOLED_FROM_BYTES = 4 << 10
/** As many as one link may have under way. */
const POOL_LIMIT = SOCKET_BYTES / FRAME_BYTES + 1
const pool: Buffer[] = []

export type LinkHandlers = {
  hello(): Promise<HolderHello>
  message(message: ToHolder, link: Link): void
  closed(link: Link): void
}

/** `incompatible`: hello was answered; there is nothing else that both sides understand. */
type State = 'expecting hello' | 'answering hello' | 'ready' | 'incompatible'

export class Link implements SubscriberLink {
  subscriber: Subscriber | null = null
  hasToldExit = false
  /** It wants to be told once when there is output beyond this seq. */
  tellFrom: number | null = null
  private readonly socket: Socket
  private readonly handlers: LinkHandlers
  private readonly decoder = new FrameDecoder(LARGEST_FRAME_BYTES)
  private readonly timer: NodeJS.Timeout
  /** What came while hello was being answered. */
  private early: ToHolder[] = []
  private state: State = 'expecting hello'
  private readyAt = 0

  constructor(socket: Socket, handlers: LinkHandlers) {
    this.socket = socket
    this.handlers = handlers
    this.timer = setTimeout(() => socket.destroy(), HELLO_WITHIN_MS)
    socket.on('data', (chunk) => this.receive(chunk))
    socket.on('drain', () => this.subscriber?.pump())
    // A peer that vanishes is everyday life; `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.timer)
      handlers.closed(this)
    })
  }

  get isReady(): boolean {
    return this.state === 'ready'
  }

  /** How long this link is still likely to be about to subscribe. */
  get undecidedMs(): number {
    if (this.subscriber !== null || this.state === 'incompatible') return 0
    return this.isReady ? Math.max(0, this.readyAt + SUBSCRIBES_WITHIN_MS - performance.now()) : SUBSCRIBES_WITHIN_MS
  }

  get isClosed(): boolean {
    return this.socket.destroyed
  }

  /** Nothing is waiting to leave, neither here nor in the subscription. */
  get isIdle(): boolean {
    return this.socket.destroyed || (this.socket.writableLength === 0 && (this.subscriber === null || this.subscriber.isDone))
  }

  send(message: FromHolder): void {
    if (!this.socket.writable) return
    if (message.kind === 'exited') this.hasToldExit = true
    if (message.kind !== 'output' || message.bytes.length < POOLED_FROM_BYTES) this.socket.write(encodeFromHolder(message))
    else this.sendPooled(message.seq, message.bytes)
  }

  /** A flood would else leave megabytes of garbage behind, which nothing collects once the program is quiet. */
  private sendPooled(seq: number, bytes: Uint8Array): void {
    const memory = pool.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES + OUTPUT_HEADER_BYTES)
    this.socket.write(encodeOutputInto(memory, seq, bytes), () => pool.length < POOL_LIMIT && pool.push(memory))
  }

  isWritable(): boolean {
    return this.socket.writable && this.socket.writableLength < SOCKET_BYTES
  }

  close(): void {
    this.socket.destroy()
  }

  end(): void {
    this.socket.end()
  }

  private receive(chunk: Uint8Array): void {
    try {
      for (const frame of this.decoder.push(chunk)) {
        if (this.state === 'incompatible' || this.socket.destroyed) return
        const message = decodeToHolder(frame)
        if (message !== null) this.take(message)
        else if (this.state === 'expecting hello') throw new Error('hello comes first')
      }
    } catch {
      this.socket.destroy()
    }
  }

  private take(message: ToHolder): void {
    if (this.state === 'ready') this.handlers.message(message, this)
    else if (this.state === 'answering hello') this.early.push(message)
    else if (message.kind === 'hello') void this.answer(message.hello)
    else throw new Error('hello comes first')
  }

  private async answer(hello: PeerHello): Promise<void> {
    clearTimeout(this.timer)
    this.state = 'answering hello'
    this.send({ kind: 'hello', hello: await this.handlers.hello() })
    this.state = commonVersion(HOLDER_PROTOCOL, hello.speaks) === null ? 'incompatible' : 'ready'
    this.readyAt = performance.now()
    const { early } = this
    this.early = []
    if (this.isReady) for (const message of early) this.handlers.message(message, this)
  }
}
