/**
 * Clients: their connections (socket, web page, programs in terminals), what each may do and see (`allowed.ts`), and the events they get
 * (`audience.ts`). Frames come in from a transport (`peer.ts`); commands go out to the handlers, which this folder does not know.
 * Start here: one client says hello, sends requests, opens channels, and gets events if it watches.
 */
import type { TerminalId } from '../../base/ids.ts'
import { refusals } from '../../base/refusal.ts'
import { COMMANDS, type CommandName, decodeParams, type Params } from '../../wire/commands/commands.ts'
import { type Answer, DAEMON_PROTOCOL, type DaemonEvent, decodeToDaemon, encodeFromDaemon, type ToDaemon } from '../../wire/daemon.ts'
import { type Frame, FrameError } from '../../wire/frames.ts'
import type { TopologyView } from '../../wire/topologyView.ts'
import { ENTER, isTyped } from '../../wire/typed.ts'
import { safeText } from '../../workspace/text.ts'
import type { Log } from '../base/log.ts'
import { allowedParams, allowsTerminal, eventsFor, type ShownEvent, sees, shownReply } from './allowed.ts'
import type { Audience } from './audience.ts'
import type { ClientFaults } from './clientFaults.ts'
import { EventQueue } from './eventQueue.ts'
import type { AnswerCommand, Client, Reply } from './handler.ts'
import { HELLO_WITHIN_MS, MOST_CHANNELS, MOST_CLIENTS, MOST_REQUESTS } from './limits.ts'
import { boundPeer, type Peer, type PeerHandlers } from './peer.ts'
import type { Relay } from './relay.ts'

const MAX_WHO_LENGTH = 40 // characters
const NO_BYTES = new Uint8Array(0)

/** The parts of the daemon that a connection works on. */
type Parts = {
  readonly version: string
  /** Resolves when every terminal is known; commands wait for it. */
  readonly booted: Promise<void>
  readonly log: Pick<Log, 'error'>
  readonly audience: Audience
  readonly clientFaults: ClientFaults
  readonly registry: { all(): readonly { readonly id: string; readonly name: string | null }[] }
  readonly sizes: {
    gone(client: number): void
    happened(terminal: TerminalId, event: { readonly kind: 'typed'; readonly client: number }): void
  }
  readonly attention: { attended(terminal: TerminalId): void }
  readonly activity: { typed(terminal: TerminalId): void }
  readonly agents: { entered(terminal: TerminalId): void }
}

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
    private readonly daemon: Parts,
    private readonly answerCommand: AnswerCommand,
    peer: Peer,
  ) {
    this.number = daemon.audience.takeClientNumber()
    this.shown = eventsFor(() => peer.capability)
    this.peer = boundPeer(peer, {
      all: () => [...daemon.audience.clients].map((client) => client.peer),
      dropped: ({ origin }, why) => daemon.clientFaults.note({ origin }, why),
    })
    this.events = new EventQueue(this.peer)
    // What has arrived is read before the client is dropped: a daemon that was slow itself does not blame its clients.
    this.helloTimer = setTimeout(() => setImmediate(() => this.greeted || this.peer.drop()), HELLO_WITHIN_MS).unref()
  }

  /** Throws if anything is wrong with the message; the transport then closes this connection, and no other. */
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
    this.daemon.audience.clients.delete(this)
    this.daemon.sizes.gone(this.number)
    for (const relay of [...this.relays.values()]) relay.close()
    for (const end of [...this.endings]) end()
  }

  /** `frame` is the event encoded, once for all clients that are shown all of it. */
  announce(event: DaemonEvent, frame: () => Uint8Array<ArrayBuffer>): void {
    const shown = this.watching ? this.shown(event) : null
    if (shown !== null) this.events.push(shown, shown === event ? frame : () => encodeFromDaemon({ kind: 'event', event: shown }))
  }

  watch(topology: TopologyView): void {
    this.watching = true
    this.shown({ kind: 'topology', topology })
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

  /** A client with another protocol gets our version, so that it can tell the user. */
  private greet(who: string): void {
    const isFull = !this.greeted && this.daemon.audience.clients.size > MOST_CLIENTS
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

  /** The key is sent first; then its client takes the lead over the size. */
  private type(channel: number, bytes: Uint8Array): void {
    const terminal = this.terminals.get(channel)
    if (terminal === undefined || !allowsTerminal(this.peer.capability, terminal, 'send')) return
    this.relays.get(channel)?.input(bytes)
    if (!isTyped(bytes)) return
    this.daemon.sizes.happened(terminal, { kind: 'typed', client: this.number })
    this.daemon.attention.attended(terminal)
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
      return shownReply(capability, command, await this.answerCommand(command, allowed.value, this))
    } catch (error) {
      this.daemon.log.error({ command, error: (error as Error).stack }, 'a command failed')
      return { ok: false, refusal: refusals.failed(command, (error as Error).message) }
    }
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
