/** One client: hello, then requests answered by handlers, channels it has open, and events if it watches. */
import type { TerminalId } from '../base/ids.ts'
import { type Refusal, refusals } from '../base/refusal.ts'
import { COMMANDS, type CommandName, decodeParams, type Outcome, type Params } from '../wire/commands.ts'
import { type Answer, DAEMON_PROTOCOL, type DaemonEvent, decodeToDaemon, encodeFromDaemon, type ToDaemon } from '../wire/daemon.ts'
import { type Frame, FrameError } from '../wire/frames.ts'
import { ENTER, isTyped } from '../wire/typed.ts'
import { safeText } from '../workspace/text.ts'
import { allowedParams, allowsTerminal, eventsFor, type ShownEvent, sees, shownReply } from './clients/allowed.ts'
import { boundPeer } from './clients/boundedPeer.ts'
import { EventQueue } from './clients/eventQueue.ts'
import { HELLO_WITHIN_MS, MOST_CHANNELS, MOST_CLIENTS, MOST_REQUESTS } from './clients/limits.ts'
import type { Daemon } from './daemon.ts'
import { HANDLERS } from './handlers/index.ts'
import type { Peer, PeerHandlers } from './peer.ts'
import type { Relay } from './relay.ts'
import { topologyView } from './view.ts'

export type Reply<Name extends CommandName> =
  | {
      readonly ok: true
      readonly result: Outcome<Name>
      readonly blob?: Uint8Array
      /** Done once the reply is on its way. */
      readonly after?: () => void
    }
  | { readonly ok: false; readonly refusal: Refusal }

export type Handler<Name extends CommandName> = (daemon: Daemon, params: Params<Name>, client: Client) => Reply<Name> | Promise<Reply<Name>>

/** What a handler may do with the client that asked. */
export type Client = {
  readonly peer: Peer
  /** By which the others know it. */
  readonly number: number
  /** What it calls itself. */
  readonly who: string
  watch(): void
  /** Whether its capability covers this terminal. */
  sees(terminal: string): boolean
  /** Null where it follows as many terminals as it may. */
  takeChannel(terminal: TerminalId): number | null
  setRelay(channel: number, relay: Relay): void
  dropRelay(channel: number): void
  breakChannel(channel: number, why: string): void
  /** Runs when the client goes: waits that nobody waits for any more end with it. */
  onGone(end: () => void): () => void
}

const MAX_WHO_LENGTH = 40 // characters
const NO_BYTES = new Uint8Array(0)

export class Connection implements PeerHandlers, Client {
  readonly number: number
  who = ''
  private greeted = false
  private watching = false
  private nextChannel = 1
  private readonly relays = new Map<number, Relay>()
  private readonly terminals = new Map<number, TerminalId>()
  private readonly endings = new Set<() => void>()
  private readonly shown: ShownEvent
  private readonly events: EventQueue
  private requests = 0
  private readonly helloTimer: NodeJS.Timeout
  readonly peer: Peer

  constructor(
    private readonly daemon: Daemon,
    peer: Peer,
  ) {
    this.number = daemon.takeClientNumber()
    this.shown = eventsFor(() => peer.capability)
    this.peer = boundPeer(peer, {
      all: () => [...daemon.clients].map((client) => client.peer),
      dropped: ({ origin }, why) => daemon.clientFaults.note({ origin }, why),
    })
    this.events = new EventQueue(this.peer)
    // Looked at once more after what has arrived was read: a daemon that was held up itself does not hold it against its clients.
    this.helloTimer = setTimeout(() => setImmediate(() => this.greeted || this.peer.drop()), HELLO_WITHIN_MS).unref()
  }

  /** Throws for whatever is wrong with one message; the transport then closes this connection, and no other. */
  receive(frame: Frame): void {
    try {
      const message = decodeToDaemon(frame)
      if (message === null) return
      if (!this.greeted && message.kind !== 'hello') throw new FrameError('hello comes first')
      this.take(message)
    } catch (error) {
      this.note(error)
      throw error
    }
  }

  closed(): void {
    clearTimeout(this.helloTimer)
    this.events.close()
    this.daemon.clientGone(this)
    for (const relay of [...this.relays.values()]) relay.close()
    for (const end of [...this.endings]) end()
  }

  /** `frame` is the event encoded, once for all clients that are shown all of it. */
  announce(event: DaemonEvent, frame: () => Uint8Array<ArrayBuffer>): void {
    const shown = this.watching ? this.shown(event) : null
    if (shown !== null) this.events.push(shown, shown === event ? frame : () => encodeFromDaemon({ kind: 'event', event: shown }))
  }

  watch(): void {
    this.watching = true
    this.shown({ kind: 'topology', topology: topologyView(this.daemon.topology) }) // the answer tells it
  }

  sees(terminal: string): boolean {
    return sees(this.peer.capability, terminal)
  }

  takeChannel(terminal: TerminalId): number | null {
    if (this.terminals.size >= MOST_CHANNELS) return null
    this.terminals.set(this.nextChannel, terminal)
    return this.nextChannel++
  }

  setRelay(channel: number, relay: Relay): void {
    this.relays.set(channel, relay)
  }

  dropRelay(channel: number): void {
    this.relays.delete(channel)
    this.terminals.delete(channel)
  }

  breakChannel(channel: number, why: string): void {
    this.peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'broken', why } }))
  }

  onGone(end: () => void): () => void {
    this.endings.add(end)
    return () => this.endings.delete(end)
  }

  private take(message: ToDaemon): void {
    switch (message.kind) {
      case 'hello':
        return this.greet(message.who)
      case 'request':
        this.answer(message).catch((error: unknown) => {
          this.note(error)
          this.peer.close()
        })
        return
      case 'input':
        this.type(message.channel, message.bytes)
        return
      case 'ack':
        this.relays.get(message.channel)?.ack(message.bytes)
        return
      case 'close':
        this.relays.get(message.channel)?.close()
        return
    }
  }

  /** A client of another protocol is told ours; it is the one who can say so to the user. */
  private greet(who: string): void {
    const isFull = !this.greeted && this.daemon.clients.size > MOST_CLIENTS
    const hello = { kind: 'hello', protocol: DAEMON_PROTOCOL, version: this.daemon.version, pid: process.pid } as const
    this.peer.send(encodeFromDaemon(isFull ? { ...hello, refusal: refusals.tooManyClients(MOST_CLIENTS) } : hello))
    if (isFull) return this.peer.close()
    this.greeted = true
    this.who = safeText(who, MAX_WHO_LENGTH)
  }

  private note(error: unknown): void {
    this.daemon.clientFaults.note(
      { origin: this.peer.origin, who: this.who },
      error instanceof FrameError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  }

  /** The key goes first; that it gives its typist the lead comes after. */
  private type(channel: number, bytes: Uint8Array): void {
    const terminal = this.terminals.get(channel)
    if (terminal === undefined || !allowsTerminal(this.peer.capability, terminal, 'send')) return
    this.relays.get(channel)?.input(bytes)
    if (!isTyped(bytes)) return
    this.daemon.sizes.happened(terminal, { kind: 'typed', client: this.number })
    this.daemon.attended(terminal)
    this.daemon.activity.typed(terminal)
    if (bytes.includes(ENTER)) this.daemon.agents.entered(terminal)
  }

  private async answer({ id, command, params }: Extract<ToDaemon, { kind: 'request' }>): Promise<void> {
    this.requests += 1
    const reply = await this.handle(command, params).finally(() => {
      this.requests -= 1
    })
    const answer: Answer = reply.ok ? { ok: true, result: reply.result } : { ok: false, refusal: reply.refusal }
    this.peer.send(encodeFromDaemon({ kind: 'reply', id, answer, blob: (reply.ok ? reply.blob : undefined) ?? NO_BYTES }))
    if (reply.ok) reply.after?.()
  }

  private async handle(command: string, params: unknown): Promise<Reply<CommandName>> {
    if (this.requests > MOST_REQUESTS) return { ok: false, refusal: refusals.tooManyRequests(MOST_REQUESTS) }
    if (!isCommand(command)) return { ok: false, refusal: refusals.commandUnknown(command) }
    const decoded = decodeParams(command, params)
    if (!decoded.ok) return { ok: false, refusal: refusals.paramsInvalid(decoded.why) }
    try {
      await this.daemon.booted
      const { capability } = this.peer
      const asked = { command, params: decoded.params as Params<CommandName> }
      const allowed = allowedParams(capability, asked, () => this.daemon.registry.all())
      if (!allowed.ok) return allowed
      const handler = HANDLERS[command] as Handler<CommandName>
      return shownReply(capability, command, await handler(this.daemon, allowed.value, this))
    } catch (error) {
      this.daemon.log.error({ command, error: (error as Error).stack }, 'a command failed')
      return { ok: false, refusal: refusals.failed(command, (error as Error).message) }
    }
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
