/**
 * What every client of the daemon and its holders needs. Here: one client over any transport, with requests typed by the command
 * table, events and channels; it reconnects if asked to. This file, channel, mirror, transport, backoff and deviceLink also run in
 * browsers and load no schemas; the others are for Node (finding and starting the daemon, sockets, files). Below: `wire/`.
 */
import { done, type Refusal, type Result, refusals, refused } from '../base/refusal.ts'
import type { CommandName, Outcome, Params } from '../wire/commands/commands.ts'
import { DAEMON_PROTOCOL, type DaemonEvent, decodeFromDaemon, encodeToDaemon, type FromDaemon, type ToDaemon } from '../wire/daemon.ts'
import type { Frame } from '../wire/frames.ts'
import { Backoff } from './backoff.ts'
import { Channel } from './channel.ts'
import type { ChannelOptions } from './stream.ts'
import { type Connect, ConnectRefused, type Transport } from './transport.ts'

/** A daemon answers within milliseconds; after this long it is stopped or stuck. */
const HELLO_WITHIN_MS = 5_000
/** How long a request waits for a link that is coming back, before it is refused. */
const REQUEST_WAITS_MS = 10_000

export type DaemonIdentity = { readonly version: string; readonly pid: number; readonly protocol: number }

export type ClientState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly daemon: DaemonIdentity }
  /** The link is down and will be tried again. */
  | { readonly kind: 'waiting'; readonly why: string }
  /** The link is down for good. */
  | { readonly kind: 'over'; readonly refusal: Refusal }

/** `afterFirst` refuses if the first connection fails, and reconnects after that. */
export type Reconnect = 'never' | 'afterFirst' | 'always'

export type ClientOptions = { readonly connect: Connect; readonly who: string; readonly version: string; readonly reconnect: Reconnect }

export type Reply<Name extends CommandName> = { readonly result: Outcome<Name>; readonly blob: Uint8Array }
export type WatchHandlers = { onAll(all: Outcome<'watch'>): void; onEvent(event: DaemonEvent): void }

type Settle = (answer: Result<{ readonly result: unknown; readonly blob: Uint8Array }>) => void

export class DaemonClient {
  /** Known since the first hello, also when the protocols turned out to differ. */
  identity: DaemonIdentity | null = null
  private readonly options: ClientOptions
  private readonly backoff = new Backoff()
  private current: ClientState = { kind: 'connecting' }
  private transport: Transport | null = null
  /** Counts connections, so that messages of an earlier one are ignored. */
  private attempt = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private helloTimer: ReturnType<typeof setTimeout> | undefined
  private nextId = 1
  private readonly pending = new Map<number, Settle>()
  private readonly channels = new Set<Channel>()
  private readonly numbered = new Map<number, Channel>()
  private readonly watchers = new Set<WatchHandlers>()
  private readonly stateListeners = new Set<(state: ClientState) => void>()

  constructor(options: ClientOptions) {
    this.options = options
    void this.dial()
  }

  get state(): ClientState {
    return this.current
  }

  /** Called at every change, until the returned function is. */
  onState(listener: (state: ClientState) => void): () => void {
    this.stateListeners.add(listener)
    return () => this.stateListeners.delete(listener)
  }

  /** Resolves with the first connection, or with why there will be none. */
  ready(): Promise<Result<DaemonIdentity>> {
    return new Promise((resolve) => {
      const look = (state: ClientState): boolean => {
        if (state.kind === 'connected') resolve(done(state.daemon))
        else if (state.kind === 'over') resolve(refused(state.refusal))
        else return false
        return true
      }
      if (look(this.current)) return
      const stop = this.onState((state) => {
        if (look(state)) stop()
      })
    })
  }

  /** A request that the link's loss leaves unanswered is refused: only the caller knows whether it may be asked twice. */
  async request<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Result<Reply<Name>>> {
    const link = await this.connectedWithin(REQUEST_WAITS_MS)
    if (!link.ok) return link
    return await new Promise((resolve) => this.ask(command, params, resolve))
  }

  /** Everything there is, again after each reconnection, and every change in between. */
  watch(handlers: WatchHandlers): () => void {
    this.watchers.add(handlers)
    if (this.current.kind === 'connected') this.startWatching()
    return () => this.watchers.delete(handlers)
  }

  /** Follows a terminal until `close`, through lost links and restarted daemons. */
  openChannel(options: Omit<ChannelOptions, 'link'>): Channel {
    const channel = this.makeChannel(options)
    channel.show({ run: null, condition: '' })
    return channel
  }

  /** A channel that asks for nothing until it is told what to show. */
  makeChannel(options: Omit<ChannelOptions, 'link'>): Channel {
    const channel: Channel = new Channel({
      ...options,
      link: {
        ask: (params, settle) => this.ask('terminal.open', params, settle),
        send: (message) => this.send(message),
        route: (number) => this.numbered.set(number, channel),
        unroute: (number) => this.numbered.delete(number),
        over: () => this.channels.delete(channel),
        isConnected: () => this.current.kind === 'connected',
      },
    })
    this.channels.add(channel)
    return channel
  }

  close(): void {
    this.end(refusals.daemonUnreachable('this client was closed'))
  }

  private async dial(): Promise<void> {
    this.become({ kind: 'connecting' })
    const attempt = ++this.attempt
    const isCurrent = (): boolean => attempt === this.attempt
    try {
      const transport = await this.options.connect({
        onFrame: (frame) => {
          if (isCurrent()) this.receive(frame)
        },
        onClose: (why) => {
          if (isCurrent()) this.lost(why)
        },
      })
      if (!isCurrent()) return transport.close()
      this.transport = transport
    } catch (error) {
      if (!isCurrent()) return
      return error instanceof ConnectRefused ? this.end(error.refusal) : this.lost(reasonOf(error))
    }
    this.helloTimer = setTimeout(() => this.drop('it does not answer'), HELLO_WITHIN_MS)
    this.send({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: this.options.version, who: this.options.who })
  }

  private receive(frame: Frame): void {
    const message = this.decode(frame)
    if (message !== null) this.take(message)
  }

  private decode(frame: Frame): FromDaemon | null {
    try {
      return decodeFromDaemon(frame)
    } catch (error) {
      this.drop(reasonOf(error))
      return null
    }
  }

  private take(message: FromDaemon): void {
    switch (message.kind) {
      case 'hello':
        if (message.refusal !== undefined) return this.turnedAway(message.refusal)
        return this.greeted({ protocol: message.protocol, version: message.version, pid: message.pid })
      case 'reply': {
        const settle = this.pending.get(message.id)
        this.pending.delete(message.id)
        return settle?.(message.answer.ok ? done({ result: message.answer.result, blob: message.blob }) : refused(message.answer.refusal))
      }
      case 'event':
        for (const watcher of this.watchers) watcher.onEvent(message.event)
        return
      case 'output':
        return this.numbered.get(message.channel)?.take(message)
      case 'channel':
        return this.numbered.get(message.channel)?.take({ kind: 'noted', channel: message.channel, note: message.note })
    }
  }

  private greeted(daemon: DaemonIdentity): void {
    clearTimeout(this.helloTimer)
    this.identity = daemon
    if (daemon.protocol !== DAEMON_PROTOCOL) return this.end(refusals.daemonVersion(daemon.protocol, DAEMON_PROTOCOL))
    this.backoff.reset()
    this.become({ kind: 'connected', daemon })
    if (this.watchers.size > 0) this.startWatching()
    for (const channel of this.channels) channel.take({ kind: 'linked' })
  }

  /** A client that reconnects tries again later; another one gets the reason. */
  private turnedAway(refusal: Refusal): void {
    if (this.options.reconnect === 'never') this.end(refusal)
    else this.drop(refusal.message)
  }

  private startWatching(): void {
    this.ask('watch', {}, (answer) => {
      if (answer.ok) for (const watcher of this.watchers) watcher.onAll(answer.value.result)
      else if (answer.refusal.code === 'may-not') this.end(answer.refusal) // nothing would ever be told
    })
  }

  /** `settle` runs in the same turn as the reply, before any frame that follows it. */
  private ask<Name extends CommandName>(command: Name, params: Params<Name>, settle: (answer: Result<Reply<Name>>) => void): void {
    if (this.transport === null) return settle(refused(this.whyNot()))
    const id = this.nextId++
    // The daemon has checked the result against the same table that gives it its type.
    this.pending.set(id, (answer) => settle(answer as Result<Reply<Name>>))
    this.send({ kind: 'request', id, command, params })
  }

  private connectedWithin(ms: number): Promise<Result<DaemonIdentity>> {
    if (this.current.kind === 'connected') return Promise.resolve(done(this.current.daemon))
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(refused(this.whyNot())), ms)
      void this.ready().then((link) => {
        clearTimeout(timer)
        resolve(link)
      })
    })
  }

  private send(message: ToDaemon): void {
    this.transport?.send(encodeToDaemon(message))
  }

  /** Gives up on a link that does not speak as it should. */
  private drop(why: string): void {
    const transport = this.transport
    this.lost(why)
    transport?.close()
  }

  private lost(why: string): void {
    if (this.isOver()) return
    this.unlink(refusals.daemonUnreachable(why))
    const { reconnect } = this.options
    if (reconnect === 'never' || (reconnect === 'afterFirst' && this.identity === null)) return this.end(refusals.daemonUnreachable(why))
    this.become({ kind: 'waiting', why })
    clearTimeout(this.retry)
    this.retry = setTimeout(() => void this.dial(), this.backoff.take())
  }

  private unlink(refusal: Refusal): void {
    clearTimeout(this.helloTimer)
    this.attempt += 1
    this.transport = null
    this.numbered.clear()
    const unanswered = [...this.pending.values()]
    this.pending.clear()
    for (const settle of unanswered) settle(refused(refusal))
    for (const channel of this.channels) channel.take({ kind: 'lost', why: refusal.message })
  }

  private end(refusal: Refusal): void {
    if (this.isOver()) return
    const transport = this.transport
    clearTimeout(this.retry)
    this.become({ kind: 'over', refusal })
    this.unlink(refusal)
    for (const channel of this.channels) channel.take({ kind: 'ended', refusal })
    transport?.close()
  }

  private isOver(): boolean {
    return this.current.kind === 'over'
  }

  private whyNot(): Refusal {
    if (this.current.kind === 'over') return this.current.refusal
    return refusals.daemonUnreachable(this.current.kind === 'waiting' ? this.current.why : 'it does not answer')
  }

  private become(state: ClientState): void {
    this.current = state
    for (const listener of [...this.stateListeners]) listener(state)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
