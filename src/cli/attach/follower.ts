/**
 * The output of one run, directly from its holder, whether or not a daemon is running. After a lost connection it continues
 * at the next byte, without a repaint.
 */
import { Backoff } from '../../client/backoff.ts'
import { type HolderLink, linkHolder } from '../../client/holderLink.ts'
import type { FromHolder } from '../../wire/holder.ts'
import type { ExitStatus, Size } from '../../workspace/terminal/terminal.ts'
import type { Fate } from './ending.ts'

const WINDOW_BYTES = 1 << 20 // a few frames of the busiest program: enough for throughput, little enough to stop soon
const ACK_STEP_BYTES = WINDOW_BYTES / 4
/** Input waits while the link is down; beyond this, it waits in the user's terminal. */
const WAITING_INPUT_LIMIT = 64 << 10
/** How long to retry while the holder does not answer and the run is not known to be over. */
const GIVE_UP_AFTER_MS = 30_000

export type Position = { readonly socketPath: string; readonly run: string; readonly seq: number }

export type FollowerHandlers = {
  /** Call `taken` when the terminal has the bytes. */
  onOutput(bytes: Uint8Array, taken: () => void): void
  /** Bytes are missing: a snapshot is needed. */
  onGap(): void
  /** In order with the output. */
  onResized(size: Size): void
  onExited(status: ExitStatus): void
  onLost(why: string, ended: boolean): void
  /** True: stop giving input until it is false again, so that no part of a paste is lost. */
  onInputHeld(held: boolean): void
  fate(): Promise<Fate>
}

export class Follower {
  private readonly handlers: FollowerHandlers
  /** Of the next byte. */
  position: Position
  private link: HolderLink | null = null
  private linking = false
  private closed = false
  private unacknowledged = 0
  private waitingInput: Uint8Array[] = []
  private readonly backoff = new Backoff()
  private lostAt: number | null = null

  constructor(position: Position, handlers: FollowerHandlers) {
    this.position = position
    this.handlers = handlers
  }

  start(): void {
    void this.connect()
  }

  /** Continues at another position, after a snapshot has been painted. */
  moveTo(position: Position): void {
    const link = this.link
    this.link = null
    this.position = position
    link?.close()
    void this.connect()
  }

  input(bytes: Uint8Array): void {
    if (this.link !== null) return this.link.send({ kind: 'input', bytes })
    this.waitingInput.push(bytes.slice())
    const waiting = this.waitingInput.reduce((sum, piece) => sum + piece.length, 0)
    if (waiting >= WAITING_INPUT_LIMIT) this.handlers.onInputHeld(true)
  }

  /** While the daemon is away; it learns the size when it is back. */
  resize(size: Size): void {
    this.link?.send({ kind: 'resize', size })
  }

  close(): void {
    this.closed = true
    this.link?.close()
    this.link = null
  }

  private async connect(): Promise<void> {
    if (this.closed || this.linking) return
    this.linking = true
    let mine: HolderLink | null = null
    const linking = await linkHolder({
      socketPath: this.position.socketPath,
      who: 'attach',
      handlers: {
        message: (message) => {
          if (mine !== null && mine === this.link) this.take(message, mine)
        },
        closed: (why) => {
          if (mine !== null && mine === this.link) this.lost(why)
        },
      },
    })
    this.linking = false
    if (linking.kind === 'incompatible') return this.over(`its holder speaks protocol ${linking.speaks}`, { ended: false })
    if (linking.kind === 'unreachable') return this.lost(linking.why)
    mine = linking.link
    if (this.closed) return mine.close()
    if (mine.hello.run !== this.position.run) return this.over('another program runs in it now', { ended: true })
    this.begin(mine)
  }

  private begin(link: HolderLink): void {
    this.link = link
    this.lostAt = null
    this.backoff.reset()
    this.unacknowledged = 0
    link.send({ kind: 'subscribe', subscribe: { from: this.position.seq, window: WINDOW_BYTES, follow: true } })
    for (const bytes of this.waitingInput.splice(0)) link.send({ kind: 'input', bytes })
    this.handlers.onInputHeld(false)
  }

  private take(message: FromHolder, link: HolderLink): void {
    switch (message.kind) {
      case 'output':
        return this.takeOutput(message.seq, message.bytes, link)
      case 'gap':
        return this.handlers.onGap()
      case 'exited':
        this.close()
        return this.handlers.onExited(message.status)
      case 'subscribed':
        // A resize after the snapshot but before the next byte is not sent again as a message of its own.
        return message.from > this.position.seq ? this.handlers.onGap() : this.handlers.onResized(message.size)
      case 'resized':
        return this.handlers.onResized(message.size)
      case 'hello':
      case 'caughtUp':
      case 'status':
        return
    }
  }

  private takeOutput(seq: number, bytes: Uint8Array, link: HolderLink): void {
    if (seq > this.position.seq) return this.handlers.onGap()
    const fresh = bytes.subarray(this.position.seq - seq)
    this.position = { ...this.position, seq: this.position.seq + fresh.length }
    this.handlers.onOutput(fresh, () => this.acknowledge(bytes.length, link))
  }

  private acknowledge(count: number, link: HolderLink): void {
    if (link !== this.link) return
    this.unacknowledged += count
    if (this.unacknowledged < ACK_STEP_BYTES) return
    link.send({ kind: 'ack', bytes: this.unacknowledged })
    this.unacknowledged = 0
  }

  private lost(why: string): void {
    if (this.closed) return
    this.link = null
    this.lostAt ??= Date.now()
    setTimeout(() => void this.comeBack(why), this.backoff.take())
  }

  private async comeBack(why: string): Promise<void> {
    const fate = await this.handlers.fate()
    if (this.closed || this.link !== null) return
    if (fate.kind === 'over') return this.over(fate.text, { ended: true })
    if (this.lostAt !== null && Date.now() - this.lostAt > GIVE_UP_AFTER_MS)
      return this.over(`its holder does not answer: ${why}`, { ended: false })
    await this.connect()
  }

  private over(why: string, { ended }: { readonly ended: boolean }): void {
    this.close()
    this.handlers.onLost(why, ended)
  }
}
