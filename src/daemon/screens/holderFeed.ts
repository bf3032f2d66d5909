/**
 * Follows a run's holder and passes its output on to a screen. A link that breaks is opened again where the screen is. Output is
 * acknowledged when it is on the screen; a slow screen gets less of it at a time.
 */
import { type HolderLink, linkHolder } from '../../client/holderLink.ts'
import type { FromHolder } from '../../wire/holder.ts'
import { entryOf } from '../history/source.ts'
import { AckWindow } from './ackWindow.ts'
import type { ScreenFeed } from './screenFeed.ts'

const WINDOW_BYTES = 1 << 20 // ordinary output parses in about 20 ms: deep enough to keep the holder busy, shallow enough to stay fair
const FOLLOW_AGAIN_MS = 500
const STATUS_WITHIN_MS = 1_000 // a holder answers within a millisecond
const LINK_WITHIN_MS = 15_000 // the daemon's own link shows that the holder lives; this thread may be busy
const PATIENCE_MS = 4 // a keystroke's echo reaches its user before the model is woken

type Following = {
  readonly socketPath: string
  readonly from: number | 'oldest'
  /** False: only up to now, and no query is answered. */
  readonly keepFollowing: boolean
}

export class HolderFeed {
  private link: HolderLink | null = null
  private window = new AckWindow(WINDOW_BYTES)
  private isClosed = false
  private readonly statusWaiters: ((oldest: number | null) => void)[] = []

  constructor(
    private readonly feed: ScreenFeed,
    private readonly trouble: (why: string) => void,
  ) {}

  get isLinked(): boolean {
    return this.link !== null
  }

  /** Resolves when everything that exists now is on the screen. */
  async follow(options: Following): Promise<void> {
    let caughtUp: () => void = () => undefined
    const current = new Promise<void>((resolve) => {
      caughtUp = resolve
    })
    const linking = await linkHolder({
      socketPath: options.socketPath,
      who: 'screen',
      withinMs: LINK_WITHIN_MS,
      handlers: {
        message: (message) => {
          this.receive(message, options.keepFollowing)
          if (message.kind === 'caughtUp') caughtUp()
        },
        closed: (why) => {
          caughtUp()
          if (options.keepFollowing) this.linkLost(why, options.socketPath)
        },
      },
    })
    if (linking.kind !== 'linked') throw new Error(linking.kind === 'unreachable' ? linking.why : `its holder speaks ${linking.speaks}`)
    if (this.isClosed) return linking.link.close()
    this.link = linking.link
    this.window = new AckWindow(WINDOW_BYTES)
    linking.link.send({
      kind: 'subscribe',
      subscribe: { from: options.from, window: WINDOW_BYTES, follow: options.keepFollowing, patienceMs: PATIENCE_MS },
    })
    await current
    await this.feed.settled()
    this.feed.isCaughtUp = true
  }

  /** Acknowledges bytes that are on the screen; `ms` is how long that took. */
  consumed(bytes: number, ms: number): void {
    const due = this.window.consumed(bytes, ms)
    if (due > 0) this.link?.send({ kind: 'ack', bytes: due })
  }

  answer(seq: number, bytes: Uint8Array): void {
    this.link?.send({ kind: 'answer', seq, bytes })
  }

  /** The first seq that the holder can still send; null if it does not answer. */
  oldest(): Promise<number | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), STATUS_WITHIN_MS)
      this.statusWaiters.push((oldest) => {
        clearTimeout(timer)
        resolve(oldest)
      })
      this.link?.send({ kind: 'askStatus' })
    })
  }

  close(): void {
    this.isClosed = true
    this.link?.close()
  }

  /** Tried again until the daemon, which finds out whether the holder lives, closes the session. */
  private linkLost(why: string, socketPath: string): void {
    const { feed } = this
    const isOver = (): boolean => this.isClosed || feed.ended
    if (isOver()) return
    const again = async (): Promise<void> => {
      await feed.settled()
      if (isOver()) return
      this.trouble(`the screen lost its holder (${why}) and goes on with it`)
      await this.follow({ socketPath, from: feed.seq, keepFollowing: true })
    }
    const tryAgain = (): void => void setTimeout(() => void again().catch(tryAgain), FOLLOW_AGAIN_MS).unref()
    tryAgain()
  }

  private receive(message: FromHolder, answering: boolean): void {
    if (message.kind === 'subscribed') {
      this.feed.answeredTo = answering ? message.answeredTo : Number.POSITIVE_INFINITY
      if (message.from !== this.feed.seq) this.feed.beginAt(message.from)
    }
    if (message.kind === 'status') for (const tell of this.statusWaiters.splice(0)) tell(message.status.oldest)
    const entry = message.kind === 'exited' ? ({ kind: 'exited' } as const) : entryOf(message)
    if (entry !== null) this.feed.enqueue(entry)
  }
}
