/** One connection: says hello, turns frames into messages, and carries at most one subscription. A fault ends this link only. */
import type { Socket } from 'node:net'
import { type Frame, FrameDecoder } from '../wire/frames.ts'
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

/** A client that connects and says nothing is no peer. */
const HELLO_WITHIN_MS = 5_000
/** A peer that wants the output asks for it right after hello. */
const SUBSCRIBES_WITHIN_MS = 500
/** What may wait in the socket; beyond it the log keeps the bytes better. */
const SOCKET_BYTES = 256 << 10
/** Larger than the input queue: a frame beyond it could not be taken anyway. */
const LARGEST_FRAME_BYTES = 17 << 20
/** Answers that wait in the socket: a peer this far behind does not read at all. Output is stopped long before, at SOCKET_BYTES. */
const BACKLOG_BYTES = 1 << 20

const NOTHING = new Uint8Array(0)

/** Shorter ones are cheaper to allocate than to look after. */
const POOLED_FROM_BYTES = 4 << 10
/** As many as one link may have under way. */
const POOL_LIMIT = SOCKET_BYTES / FRAME_BYTES + 1
const pool: Buffer[] = []

export type LinkHandlers = {
  hello(): Promise<HolderHello>
  /** The next message waits until what is returned is done. */
  message(message: ToHolder, link: Link): void | Promise<void>
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
  /** What has arrived and is not taken yet: at most what one read of the socket holds. */
  private frames: Frame[] = []
  /** A message is being dealt with: nothing more is read meanwhile, so that a flood fills the peer's memory and not ours. */
  private isBusy = false
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
    if (this.socket.writableLength > BACKLOG_BYTES) return void this.socket.destroy()
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
      for (const frame of this.decoder.push(chunk)) this.frames.push(frame)
      if (!this.isBusy) this.takeAll()
    } catch {
      this.socket.destroy()
    }
  }

  /** One message after the other; throws for what is no message. */
  private takeAll(): void {
    const { frames } = this
    for (let at = 0; at < frames.length; at++) {
      if (this.state === 'incompatible' || this.socket.destroyed) break
      const message = decodeToHolder(frames[at] as Frame)
      if (message === null && this.state === 'expecting hello') throw new Error('hello comes first')
      const underWay = message === null ? undefined : this.take(message)
      if (underWay === undefined) continue
      this.frames = frames.slice(at + 1)
      return this.waitFor(underWay)
    }
    this.frames = []
  }

  private waitFor(underWay: Promise<void>): void {
    this.isBusy = true
    this.socket.pause()
    const goOn = (): void => {
      this.isBusy = false
      if (this.socket.destroyed) return
      this.receive(NOTHING)
      if (!this.isBusy) this.socket.resume()
    }
    void underWay.catch((error: unknown) => console.error('holder:', error)).then(goOn)
  }

  private take(message: ToHolder): void | Promise<void> {
    if (this.state === 'ready') return this.handlers.message(message, this)
    if (message.kind !== 'hello') throw new Error('hello comes first')
    return this.answer(message.hello)
  }

  private async answer(hello: PeerHello): Promise<void> {
    clearTimeout(this.timer)
    this.state = 'answering hello'
    this.send({ kind: 'hello', hello: await this.handlers.hello() })
    this.state = commonVersion(HOLDER_PROTOCOL, hello.speaks) === null ? 'incompatible' : 'ready'
    this.readyAt = performance.now()
  }
}
