/**
 * Holds one run: carries bytes between its program, its history and its links, makes a flooding program wait for its
 * followers, and exits when the program has ended and its end is kept.
 */

import type { Socket } from 'node:net'
import { assertNever } from '../base/assertNever.ts'
import type { ExitStatus, HolderHello, HolderOrder, HolderStatus, Size, Subscribe, ToHolder } from '../wire/holder.ts'
import { HOLDER_PROTOCOL, TELLS_OUTPUT } from '../wire/holder.ts'
import { History, type LogBefore } from './history.ts'
import { Link } from './link.ts'
import { foregroundOf, type Processes, signalForeground, signalTree } from './processes.ts'
import type { Pty } from './pty.ts'
import { Subscriber } from './subscriber.ts'

/** While the program waits for slow subscribers, this is how often their progress is checked. */
const BRAKE_CHECK_MS = 100
/** An exit that is on disk need not be taken; this is only for clients that are about to ask. */
const LINGER_MS = 2_000
/** For links that have not read everything yet; after this they are on their own. */
const FAREWELL_MS = 5_000
/** Longer than a disk takes that works. */
const LOOK_WITHIN_MS = 500
/** Long enough for an agent to say its last words, short enough for the end of a shell to be kept before everything is killed. */
const HANGUP_AFTER_MS = 700
/** A program that ignores SIGHUP is killed after this; no client could see it any more. */
const HANGUP_GRACE_MS = 5_000

/** Far more than pages, attached terminals and the daemon itself make. */
export const MOST_LINKS = 512

export type HolderOptions = {
  readonly order: HolderOrder
  /** Of a run that continues. */
  readonly before?: LogBefore
  readonly processes: Processes
  readonly leave: () => void
  /** Makes sure that others can still connect; resolves when they can, or when nothing can be done about it. */
  readonly lookAtDoor?: () => Promise<void>
}

export class Holder {
  readonly history: History
  private readonly options: HolderOptions
  private readonly links = new Set<Link>()
  private readonly startedAt = Date.now()
  /** Null once the program has ended. */
  private pty: Pty | null = null
  private terminal: Pty | null = null
  private pid = 0
  private pidStart = ''
  /** Queries in output before this seq have been answered; a daemon that replays must not answer them again. */
  private answeredTo = 0
  private outOfReach: string | null = null
  private brakeTimer: NodeJS.Timeout | undefined
  /** Input is being dropped, which is logged once. */
  private isDropping = false
  private isLeaving = false

  constructor(options: HolderOptions) {
    this.options = options
    const before = options.before === undefined ? {} : { before: options.before }
    this.history = new History({
      order: options.order,
      ...before,
      changed: () => void this.broadcastStatus(),
      exitKept: () => this.linger(),
    })
  }

  began(pty: Pty): void {
    this.pty = pty
    this.terminal = pty
    this.pid = pty.pid
    this.pidStart = this.options.processes.startOf(pty.pid)
  }

  handleOutput(bytes: Uint8Array): void {
    if (this.history.exit !== null) return // a guest that was let go prints on
    this.history.append(bytes)
    for (const link of this.links) {
      link.subscriber?.offer()
      if (link.tellFrom !== null) void this.tellOutput(link)
    }
    this.brake()
  }

  /** What the program printed meanwhile is not known; everything is drawn anew after it. */
  async handleMissed(): Promise<void> {
    await this.history.miss()
    for (const link of this.links) link.subscriber?.pump()
  }

  /** The size was changed where the program is at home. */
  handleResized(size: Size): void {
    this.history.resize(size)
    for (const link of this.links) link.subscriber?.pump()
    void this.broadcastStatus()
  }

  handleTrouble(why: string | null): void {
    if (this.outOfReach === why) return
    this.outOfReach = why
    void this.broadcastStatus()
  }

  /** How the program ended is unknown: without an exit in its log, it counts as lost. */
  handleLost(): void {
    this.pty = null
    this.isLeaving = true
    for (const link of this.links) link.end()
    void this.closeLog().finally(this.options.leave)
  }

  handleExit(status: ExitStatus): void {
    if (this.pty === null) return
    this.pty = null
    this.history.end(status)
    for (const link of this.links) {
      link.subscriber?.pump()
      this.announceExit(link, status)
    }
  }

  /** For links without a subscription. A subscriber is told at the end of its stream, and must not be told before. */
  private announceExit(link: Link, status: ExitStatus): void {
    if (link.isClosed || link.hasToldExit || link.subscriber?.isDone === false) return
    if (link.undecidedMs > 0) setTimeout(() => this.announceExit(link, status), link.undecidedMs)
    else if (link.isReady) link.send({ kind: 'exited', seq: this.history.head, status })
  }

  accept(socket: Socket): void {
    if (this.links.size >= MOST_LINKS) return void socket.destroy()
    const link = new Link(socket, {
      hello: () => this.hello(),
      message: (message) => this.handle(message, link),
      closed: () => {
        this.links.delete(link)
        link.subscriber?.stop()
        this.remember()
        this.brake()
      },
    })
    this.links.add(link)
  }

  async status(): Promise<HolderStatus> {
    const { history } = this
    return {
      pid: this.pid,
      pidStart: this.pidStart,
      holderPid: process.pid,
      startedAt: this.startedAt,
      seq: history.head,
      oldest: history.oldest,
      size: history.size,
      foreground: history.exit === null ? await foregroundOf(this.options.processes, this.pid) : null,
      exit: history.exit,
      degraded: history.log.degraded,
      ...(this.outOfReach === null ? {} : { outOfReach: this.outOfReach }),
    }
  }

  /**
   * Ends the program as a closed window would, and later by force. What it printed is kept first. A machine that is shut
   * down tells the program at the same moment: it gets the time to end in its own way.
   */
  async hangUp(): Promise<void> {
    await this.history.log.keepNow()
    if (this.options.order.tmux !== undefined) return this.leave() // the program is in tmux, and stays there
    await new Promise((resolve) => setTimeout(resolve, HANGUP_AFTER_MS))
    if (this.pty === null) return
    await signalTree(this.options.processes, this.pid, 'SIGHUP')
    setTimeout(() => this.pty !== null && void signalTree(this.options.processes, this.pid, 'SIGKILL'), HANGUP_GRACE_MS)
  }

  private async hello(): Promise<HolderHello> {
    const { terminal, run } = this.options.order
    return { speaks: HOLDER_PROTOCOL, capabilities: [TELLS_OUTPUT], terminal, run, status: await this.status() }
  }

  /** What takes time is returned: a link waits for it before its next message is taken. */
  private handle(message: ToHolder, link: Link): void | Promise<void> {
    switch (message.kind) {
      case 'hello':
        return
      case 'input':
        return this.type(message.bytes)
      case 'answer':
        if (message.seq <= this.answeredTo) return
        this.answeredTo = message.seq
        return this.type(this.options.order.tmux === undefined ? message.bytes : unansweredByTmux(message.bytes))
      case 'resize':
        return this.resize(message.size)
      case 'signal':
        return this.signal(message.request)
      case 'subscribe':
        return this.subscribe(message.subscribe, link)
      case 'ack':
        link.subscriber?.acknowledge(message.bytes)
        return this.brake()
      case 'askStatus':
        return this.tellStatus(link)
      case 'tellOutput':
        link.tellFrom = message.from
        return this.tellOutput(link)
      case 'takeExit':
        if (this.history.exit !== null) this.leave()
        return
    }
    assertNever(message)
  }

  private async tellOutput(link: Link): Promise<void> {
    if (link.tellFrom === null || this.history.head <= link.tellFrom) return
    link.tellFrom = null
    await this.tellStatus(link)
  }

  /** A health check also covers the socket and the log. A disk that hangs must not keep the holder from answering. */
  private async tellStatus(link: Link): Promise<void> {
    await this.options.lookAtDoor?.()
    await Promise.race([this.history.log.look(), new Promise((resolve) => setTimeout(resolve, LOOK_WITHIN_MS).unref())])
    link.send({ kind: 'status', status: await this.status() })
  }

  private type(bytes: Uint8Array): void {
    const isTaken = this.pty?.write(bytes) !== false
    if (!isTaken && !this.isDropping) console.error(`${bytes.length} bytes of input were dropped: the program reads nothing`)
    this.isDropping = !isTaken
  }

  private resize(size: Size): void {
    const { history } = this
    if (this.pty === null || this.isGuest || (size.cols === history.size.cols && size.rows === history.size.rows)) return
    // Logged first: what the program prints in answer must come after it.
    history.resize(size)
    this.pty.resize(size)
    for (const link of this.links) link.subscriber?.pump()
  }

  /** A guest is only detached, whatever is asked: its program keeps running in the user's tmux. */
  private async signal({ signal, to }: Extract<ToHolder, { kind: 'signal' }>['request']): Promise<void> {
    if (this.isGuest) return signal === 'SIGCONT' || this.pty === null ? undefined : this.handleExit({ code: 0 })
    await (to === 'tree' ? signalTree : signalForeground)(this.options.processes, this.pid, signal)
    this.pty?.endExpected?.()
  }

  private get isGuest(): boolean {
    return this.options.order.tmux?.kind === 'guest'
  }

  /** A read of the log is finished first: a link that changes its mind without end must not begin as many. */
  private subscribe(request: Subscribe, link: Link): void | Promise<void> {
    const reading = link.subscriber?.reading ?? null
    if (reading === null) return this.beginStream(request, link)
    return reading.then(() => (link.isClosed ? undefined : this.beginStream(request, link)))
  }

  private beginStream(request: Subscribe, link: Link): void {
    const { history, answeredTo } = this
    if (request.from !== 'oldest' && request.from > history.head) return link.close() // it speaks of another run
    link.subscriber?.stop()
    link.subscriber = new Subscriber({ history, link, request, answeredTo, unacked: link.subscriber?.underWay ?? 0 })
    this.remember()
    link.subscriber.pump()
    this.brake()
  }

  /** Memory reaches back as far as anyone may be behind, since a flood is not logged in full. */
  private remember(): void {
    this.history.log.reach = Math.max(0, ...[...this.links].map((link) => link.subscriber?.reach ?? 0))
  }

  private async broadcastStatus(): Promise<void> {
    const status = await this.status()
    for (const link of this.links) if (link.isReady) link.send({ kind: 'status', status })
  }

  /** The program waits while a subscriber is too far behind and still reads. */
  private brake(): void {
    const now = performance.now()
    const isHeld = [...this.links].some((link) => link.subscriber?.holdsBack(now))
    if (isHeld && this.brakeTimer === undefined) {
      this.pty?.pause()
      this.brakeTimer = setInterval(() => this.brake(), BRAKE_CHECK_MS)
    } else if (!isHeld && this.brakeTimer !== undefined) {
      clearInterval(this.brakeTimer)
      this.brakeTimer = undefined
      this.pty?.resume()
    }
  }

  private linger(): void {
    setTimeout(() => this.leave(), LINGER_MS)
  }

  /** Not before the links have what they were promised, within bounds. */
  private leave(): void {
    if (this.isLeaving) return
    this.isLeaving = true
    const until = performance.now() + FAREWELL_MS
    const timer = setInterval(() => {
      if (performance.now() < until && [...this.links].some((link) => !link.isIdle)) return
      clearInterval(timer)
      for (const link of this.links) link.end()
      void this.closeLog()
        .then(() => (this.history.exit === null ? undefined : this.terminal?.leave?.()))
        .finally(this.options.leave)
    }, 5)
  }

  /** An exit may be taken before the disk has it. A disk that hangs must not keep us for ever. */
  private async closeLog(): Promise<void> {
    const { log } = this.history
    const kept = log.keepNow().then(() => log.close())
    await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, FAREWELL_MS))])
  }
}

/** tmux answers queries itself, all but those about the program status protocol, which it does not know. */
function unansweredByTmux(bytes: Uint8Array): Uint8Array {
  const answers =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/\x1b\]7501;[^\x07\x1b]*(?:\x07|\x1b\\)/g) ?? []
  return Buffer.from(answers.join(''), 'latin1')
}
