/**
 * The daemon's control links, one per holder that lives. A link that drops is an observation about the link: the run is
 * lost only when its holder's process is seen to be gone, and then its log may still say how the program ended.
 */
import type { RunId } from '../base/ids.ts'
import { type HolderLink, type Linking, linkHolder } from '../client/holderLink.ts'
import { systemProcesses } from '../holder/processes.ts'
import type { FromHolder, HolderCard, HolderStatus, ToHolder } from '../wire/holder.ts'
import { type Paths, runDirectory } from '../wire/paths.ts'
import type { ExitStatus, Link } from '../workspace/terminal.ts'
import { readRunEnd } from './runLog.ts'
import { holdAt, trip } from './trip.ts'

const RETRY_MS = { first: 100, most: 5_000 }

/** Programs in tmux outlive their holders: what is known of that, and how they get another one. */
export type Afterlife = {
  /** Whether the program of a holder that is gone goes on. */
  find(card: HolderCard): Promise<'there' | 'gone' | 'unknown'>
  revive(card: HolderCard): Promise<{ readonly ok: true; readonly card: HolderCard } | { readonly ok: false; readonly reason: string }>
}

export type HolderEvents = {
  /** `at` only where it was not just now. */
  exited(run: RunId, status: ExitStatus, at?: number): void
  lost(run: RunId): void
  linkChanged(run: RunId, link: Link): void
  /** Of a guest, by its own tmux. */
  resized(run: RunId): void
}

type Held = {
  card: HolderCard
  /** Its program goes on without a holder, until somebody wants something of it. */
  isUnattached: boolean
  /** Another holder is on its way; whoever asks meanwhile gets the same one. */
  attaching: Promise<void> | null
  link: HolderLink | null
  status: HolderStatus | null
  retryMs: number
  timer: NodeJS.Timeout | null
  onStatus: (() => void)[]
}

export class Holders {
  private readonly held = new Map<RunId, Held>()

  constructor(
    private readonly paths: Paths,
    private readonly events: HolderEvents,
    private readonly afterlife: Afterlife,
  ) {}

  /** Links to a holder and watches it from now on. */
  async adopt(card: HolderCard, options: { withinMs?: number } = {}): Promise<Link> {
    return await this.connect(this.hold(card), options)
  }

  /** Of a program that goes on in tmux while its holder is gone. Nothing is started for it now. */
  adoptUnattached(card: HolderCard): Link {
    this.hold(card).isUnattached = true
    return { kind: 'unattached' }
  }

  /** It cannot be told now whether its program goes on in tmux: that is found out again and again. */
  adoptUnseen(card: HolderCard, why: string): Link {
    this.retryLater(this.hold(card))
    return { kind: 'unreachable', why }
  }

  private hold(card: HolderCard): Held {
    const held: Held = {
      ...{ card, link: null, status: null, retryMs: RETRY_MS.first, timer: null, onStatus: [] },
      ...{ isUnattached: false, attaching: null },
    }
    this.held.set(card.run, held)
    return held
  }

  /** Somebody wants something of it: where it has no holder, it has one when this resolves, or the link says why not. */
  async ensure(run: RunId): Promise<void> {
    const held = this.held.get(run)
    if (held === undefined || (!held.isUnattached && held.attaching === null)) return
    held.attaching ??= this.attach(held).finally(() => {
      held.attaching = null
    })
    await held.attaching
  }

  private async attach(held: Held): Promise<void> {
    const { run } = held.card
    await holdAt('attach:begun')
    const revived = await this.afterlife.revive(held.card)
    trip('attach:holder-started')
    if (this.held.get(run) !== held) return
    held.isUnattached = false
    if (!revived.ok) return this.failed(held, revived.reason)
    held.card = revived.card
    const link = await this.connect(held)
    if (this.held.get(run) === held) this.events.linkChanged(run, link)
  }

  private failed(held: Held, why: string): void {
    this.events.linkChanged(held.card.run, { kind: 'unreachable', why })
    this.retryLater(held)
  }

  card(run: RunId): HolderCard | null {
    return this.held.get(run)?.card ?? null
  }

  status(run: RunId): HolderStatus | null {
    return this.held.get(run)?.status ?? null
  }

  /** False when there is nobody to hear it. */
  send(run: RunId, message: ToHolder): boolean {
    const link = this.held.get(run)?.link ?? null
    link?.send(message)
    return link !== null
  }

  /** Asks for a fresh status; resolves in `withinMs` at most, answered or not. */
  refresh(run: RunId, withinMs: number): Promise<HolderStatus | null> {
    const held = this.held.get(run)
    if (held === undefined || held.link === null) return Promise.resolve(held?.status ?? null)
    held.link.send({ kind: 'askStatus' })
    return new Promise((resolve) => {
      const answered = (): void => {
        clearTimeout(timer)
        resolve(held.status)
      }
      const timer = setTimeout(() => {
        held.onStatus = held.onStatus.filter((waiting) => waiting !== answered)
        resolve(held.status)
      }, withinMs)
      held.onStatus.push(answered)
    })
  }

  /** The exit is kept: lets the holder go and stops watching. */
  release(run: RunId): void {
    this.send(run, { kind: 'takeExit' })
    this.unwatch(run)
  }

  stop(): void {
    for (const run of [...this.held.keys()]) this.unwatch(run)
  }

  private unwatch(run: RunId): void {
    const held = this.held.get(run)
    if (held === undefined) return
    this.held.delete(run)
    if (held.timer !== null) clearTimeout(held.timer)
    const { link } = held
    // The last message must reach the holder before the link goes.
    if (link !== null) setTimeout(() => link.close(), 100).unref()
  }

  private async connect(held: Held, options: { withinMs?: number } = {}): Promise<Link> {
    const linking = await linkHolder({
      ...options,
      socketPath: held.card.socketPath,
      who: 'daemon',
      handlers: { message: (message) => this.receive(held, message), closed: (why) => this.dropped(held, why) },
    })
    const link = linkOf(linking)
    if (linking.kind === 'linked') {
      held.link = linking.link
      held.status = linking.link.hello.status
      held.retryMs = RETRY_MS.first
      if (this.held.get(held.card.run) !== held) linking.link.close()
      else if (held.status.exit !== null) this.events.exited(held.card.run, held.status.exit)
    } else this.retryLater(held)
    return link
  }

  private receive(held: Held, message: FromHolder): void {
    if (message.kind === 'exited') this.events.exited(held.card.run, message.status)
    if (message.kind !== 'status') return
    held.status = message.status
    if (held.card.tmux?.kind === 'guest') this.events.resized(held.card.run)
    for (const tell of held.onStatus.splice(0)) tell()
  }

  private dropped(held: Held, why: string): void {
    held.link = null
    if (this.held.get(held.card.run) !== held) return
    if (!isHolderAlive(held.card)) return this.gone(held)
    this.events.linkChanged(held.card.run, { kind: 'unreachable', why })
    this.retryLater(held)
  }

  private retryLater(held: Held): void {
    if (this.held.get(held.card.run) !== held) return
    held.timer = setTimeout(() => void this.retry(held), held.retryMs)
    held.timer.unref()
    held.retryMs = Math.min(held.retryMs * 2, RETRY_MS.most)
  }

  private async retry(held: Held): Promise<void> {
    if (!isHolderAlive(held.card)) return this.gone(held)
    const link = await this.connect(held)
    if (this.held.get(held.card.run) === held) this.events.linkChanged(held.card.run, link)
  }

  private gone(held: Held): void {
    const { run, tmux } = held.card
    const end = readRunEnd({ directory: runDirectory(this.paths, run), run })
    if (end === null && tmux !== undefined) return void this.lookAfter(held)
    this.unwatch(run)
    if (end === null) this.events.lost(run)
    else this.events.exited(run, end.status, end.at)
  }

  /** Its holder is gone; its program may go on. While somebody follows it, it gets another one at once. */
  private async lookAfter(held: Held): Promise<void> {
    const { run } = held.card
    const found = await this.afterlife.find(held.card)
    if (this.held.get(run) !== held) return
    if (found === 'unknown') return this.failed(held, 'tmux does not answer')
    if (found === 'there') {
      held.isUnattached = true
      return await this.ensure(run)
    }
    this.unwatch(run)
    this.events.lost(run)
  }
}

function linkOf(linking: Linking): Link {
  switch (linking.kind) {
    case 'linked':
      return { kind: 'connected' }
    case 'incompatible':
      return { kind: 'incompatible', speaks: linking.speaks }
    case 'unreachable':
      return { kind: 'unreachable', why: linking.why }
  }
}

export const isHolderAlive = (card: HolderCard): boolean =>
  card.holderStart !== '' && systemProcesses().startOf(card.holderPid) === card.holderStart
