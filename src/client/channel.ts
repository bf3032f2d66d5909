/**
 * One terminal followed through the daemon. It remembers the run and the seq it has received, so that after a lost link
 * the stream goes on at the very next byte; only where that is not possible a new snapshot is painted.
 */
import type { Refusal, Result } from '../base/refusal.ts'
import type { Outcome, Params } from '../wire/commands.ts'
import type { ChannelNote, ToDaemon } from '../wire/daemon.ts'
import type { TerminalView } from '../wire/view.ts'
import type { ExitStatus, Size } from '../workspace/terminal.ts'
import { Backoff } from './backoff.ts'

/** Acknowledging each frame would cost a message each; waiting for the whole window would stop the stream. */
const ACKS_PER_WINDOW = 4
/** What is typed while the link is away waits; more than this is no typing. */
const WAITING_INPUT_LIMIT = 64 << 10

export type ChannelSnapshot = {
  readonly bytes: Uint8Array
  readonly seq: number
  readonly size: Size
  readonly terminal: TerminalView
  readonly live: boolean
  /** How far back it reaches, and how far back there is anything; null where nothing has run yet. */
  readonly lines: Outcome<'terminal.open'>['lines']
}

export type ChannelHandlers = {
  /** Replaces everything shown so far. */
  onSnapshot(snapshot: ChannelSnapshot): void
  /** `consumed` is called when the bytes have been drawn or written on; only then more of them are asked for. */
  onOutput(bytes: Uint8Array, consumed: () => void): void
  onResized(size: Size): void
  onExited(status: ExitStatus): void
  /** False while what is shown may be behind; true once the stream goes on. */
  onLink(connected: boolean, why: string): void
  /** The channel cannot be opened (again); nothing follows. */
  onRefused(refusal: Refusal): void
  onCaughtUp?(): void
}

export type ChannelLink = {
  ask(
    params: Params<'terminal.open'>,
    settle: (answer: Result<{ readonly result: Outcome<'terminal.open'>; readonly blob: Uint8Array }>) => void,
  ): void
  send(message: ToDaemon): void
  number(number: number, channel: Channel): void
  forget(number: number): void
  over(channel: Channel): void
  isConnected(): boolean
}

export type ChannelOptions = {
  readonly terminal: string
  readonly window: number
  /** How many lines above the screen a snapshot shall have; left out, what the daemon thinks usual. */
  readonly history?: number | undefined
  readonly handlers: ChannelHandlers
  readonly link: ChannelLink
}

export type Afresh = { readonly history: number }

export class Channel {
  private readonly options: ChannelOptions
  private readonly backoff = new Backoff()
  private number: number | null = null
  private asking = false
  /** Counts how often it was opened. */
  private opening = 0
  private closed = false
  private paused = false
  private history: number | undefined
  /** Whether it is opened with a snapshot, wherever it was. */
  private isAfresh = false
  private run: string | null = null
  private seq = 0
  /** Where it went on when it was last opened; null: it began with a snapshot. */
  private continuedAt: number | null = null
  private unacknowledged = 0
  private waitingInput: Uint8Array[] = []
  private retry: ReturnType<typeof setTimeout> | undefined

  constructor(options: ChannelOptions) {
    this.options = options
    this.history = options.history
  }

  /** What has been received so far; null before the first answer and for a terminal without a run. */
  get position(): { readonly run: string; readonly seq: number } | null {
    return this.run === null ? null : { run: this.run, seq: this.seq }
  }

  open(): void {
    const { terminal, window, link } = this.options
    const { history } = this
    if (this.closed || this.paused || this.asking || this.number !== null || !link.isConnected()) return
    this.asking = true
    const from = this.isAfresh ? null : this.position
    link.ask({ terminal, window, ...(history === undefined ? {} : { history }), ...(from === null ? {} : { from }) }, (answer) => {
      this.asking = false
      if (answer.ok) this.opened(answer.value.result, answer.value.blob)
      else if (!this.closed && answer.refusal.code !== 'daemon-unreachable' && answer.refusal.code !== 'stopping')
        this.takeEnd(answer.refusal)
    })
  }

  input(bytes: Uint8Array): void {
    if (this.closed) return
    if (this.number !== null) return this.options.link.send({ kind: 'input', channel: this.number, bytes })
    const waiting = this.waitingInput.reduce((sum, piece) => sum + piece.length, 0)
    if (waiting + bytes.length <= WAITING_INPUT_LIMIT) this.waitingInput.push(bytes.slice())
  }

  /** Nothing is sent any more, and nobody waits for this reader, until `resume`. */
  pause(): void {
    this.paused = true
    clearTimeout(this.retry)
    this.release({ tell: true })
  }

  /** Goes on at the very next byte, or with a snapshot of how it is by then. */
  resume(afresh?: Afresh): void {
    if (afresh !== undefined) {
      this.isAfresh = true
      this.history = afresh.history
    }
    this.paused = false
    this.open()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.retry)
    this.release({ tell: true })
    this.options.link.over(this)
  }

  takeOutput(seq: number, bytes: Uint8Array): void {
    // Overlap is possible where two sources of the same bytes meet; a hole is not, and is never papered over.
    if (seq > this.seq) return this.reopen(`bytes ${this.seq} to ${seq} are missing`)
    const fresh = bytes.subarray(this.seq - seq)
    this.seq += fresh.length
    const { opening } = this
    const consumed = onlyOnce(() => this.acknowledge(bytes.length, opening))
    if (fresh.length === 0) consumed()
    else this.options.handlers.onOutput(fresh, consumed)
  }

  takeNote(note: ChannelNote): void {
    const { handlers } = this.options
    switch (note.kind) {
      case 'resized':
        return handlers.onResized(note.size)
      case 'caughtUp':
        return handlers.onCaughtUp?.()
      case 'exited':
        handlers.onExited(note.status)
        return this.close()
      case 'broken':
        this.release({ tell: false })
        // It cannot go on from here: the log has a hole there, as a flood leaves them. Asked again, it would break again, for ever.
        if (this.continuedAt === this.seq) this.run = null
        return this.reopen(note.why)
    }
  }

  /** The connection is gone; the client calls `open` when there is a new one. */
  takeLost(why: string): void {
    this.number = null
    this.asking = false
    clearTimeout(this.retry)
    if (!this.closed) this.options.handlers.onLink(false, why)
  }

  takeEnd(refusal: Refusal): void {
    if (this.closed) return
    this.close()
    this.options.handlers.onRefused(refusal)
  }

  private opened(result: Outcome<'terminal.open'>, blob: Uint8Array): void {
    const { handlers, link } = this.options
    if (this.closed || this.paused) {
      if (result.channel !== null) link.send({ kind: 'close', channel: result.channel })
      return
    }
    this.backoff.reset()
    const sameRun = this.run === null || this.run === result.run
    this.number = result.channel
    this.unacknowledged = 0
    this.opening += 1
    this.isAfresh = false
    this.run = result.run
    this.seq = result.seq
    this.continuedAt = result.continued ? result.seq : null
    if (result.channel !== null) link.number(result.channel, this)
    handlers.onLink(true, '')
    if (!result.continued)
      handlers.onSnapshot({
        bytes: blob,
        seq: result.seq,
        size: result.size,
        terminal: result.terminal,
        live: result.channel !== null,
        lines: result.lines,
      })
    const typed = this.waitingInput.splice(0)
    // What was typed for one program is not for the next one.
    if (sameRun && result.channel !== null) for (const bytes of typed) this.input(bytes)
    if (result.channel === null) this.close()
  }

  private acknowledge(count: number, opening: number): void {
    // The window of each opening begins anew; numbers may come again, so they do not tell.
    if (this.number === null || opening !== this.opening) return
    this.unacknowledged += count
    if (this.unacknowledged < this.options.window / ACKS_PER_WINDOW) return
    this.options.link.send({ kind: 'ack', channel: this.number, bytes: this.unacknowledged })
    this.unacknowledged = 0
  }

  private reopen(why: string): void {
    this.release({ tell: true })
    this.options.handlers.onLink(false, why)
    clearTimeout(this.retry)
    this.retry = setTimeout(() => this.open(), this.backoff.take())
  }

  private release(options: { readonly tell: boolean }): void {
    if (this.number === null) return
    this.options.link.forget(this.number)
    if (options.tell) this.options.link.send({ kind: 'close', channel: this.number })
    this.number = null
  }
}

function onlyOnce(act: () => void): () => void {
  let due = true
  return () => {
    if (due) act()
    due = false
  }
}
