/**
 * The daemon's control links, one per holder that lives. A link that drops is an observation about the link: the run is
 * lost only when its holder's process is seen to be gone, and then its log may still say how the program ended.
 */
import type { RunId } from '../../base/ids.ts'
import { type HolderLink, type Linking, linkHolder } from '../../client/holderLink.ts'
import { systemProcesses } from '../../holder/processes.ts'
import { type FromHolder, type HolderCard, type HolderStatus, TELLS_OUTPUT, type ToHolder } from '../../wire/holder.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import type { ExitStatus, Link } from '../../workspace/terminal/terminal.ts'
import { hold, trip } from '../base/trip.ts'
import { readRunEnd } from '../history/runLog.ts'

const RETRY_MS = { first: 100, most: 5_000 }

/** Programs in tmux outlive their holders: what is known of that, and how they get another one. */
export type Afterlife = {
  /** Whether the program of a holder that is gone still runs. */
  find(card: HolderCard): Promise<'there' | 'gone' | 'unknown'>
  revive(card: HolderCard): Promise<{ readonly ok: true; readonly card: HolderCard } | { readonly ok: false; readonly reason: string }>
}

export type HolderEvents = {
  /** `at` only where it was not just now. */
  exited(run: RunId, status: ExitStatus, at?: number): void
  lost(run: RunId): void
  linkChanged(run: RunId, link: Link): void
  /** There is output beyond where it was awaited. */
  printed(run: RunId): void
  /** Of a guest, by its own tmux. */
  resized(run: RunId): void
}

type Held = {
  card: HolderCard
  /** Its program runs without a holder until it is needed. */
  isUnattached: boolean
  /** Another holder is being started; concurrent callers get the same one. */
  attaching: Promise<void> | null
  link: HolderLink | null
  status: HolderStatus | null
  retryMs: number
  timer: NodeJS.Timeout | null
  onStatus: (() => void)[]
  /** Output beyond this seq is to be told, once. */
  awaitedFrom: number | null
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

  /** For a program that runs in tmux while its holder is gone. Nothing is started for it now. */
  adoptUnattached(card: HolderCard): Link {
    this.hold(card).isUnattached = true
    return { kind: 'unattached' }
  }

  /** Whether its program runs in tmux is unknown now; it is looked up again and again. */
  adoptUnseen(card: HolderCard, why: string): Link {
    this.retryLater(this.hold(card))
    return { kind: 'unreachable', why }
  }

  private hold(card: HolderCard): Held {
    const held: Held = {
      ...{ card, link: null, status: null, retryMs: RETRY_MS.first, timer: null, onStatus: [], awaitedFrom: null },
      ...{ isUnattached: false, attaching: null },
    }
    this.held.set(card.run, held)
    return held
  }

  /** Starts a holder if the run has none. When this resolves there is one, or the link says why not. */
  async ensure(run: RunId): Promise<void> {
    const held = this.held.get(run)
    if (held === undefined || (!held.isUnattached && held.attaching === null)) return
    held.attaching ??= this.attach(held).finally(() => {
      held.attaching = null
    })
    await held.attaching
  }

  /** Whether its program runs without a holder. */
  isUnattached(run: RunId): boolean {
    return this.held.get(run)?.isUnattached === true
  }

  /** A program without a holder may be gone. */
  async lookAgain(run: RunId): Promise<void> {
    const held = this.held.get(run)
    if (held?.isUnattached === true) await this.lookAfter(held, { isWanted: false })
  }

  private async attach(held: Held): Promise<void> {
    const { run } = held.card
    await hold('attach:begun')
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

  /** False if there is no link to send it on. */
  send(run: RunId, message: ToHolder): boolean {
    const link = this.held.get(run)?.link ?? null
    link?.send(message)
    return link !== null
  }

  /** Has `printed` told, once, when there is output beyond `from`; false if the holder cannot tell. A link that drops forgets it. */
  awaitOutput(run: RunId, from: number): boolean {
    const held = this.held.get(run)
    if (held === undefined || held.link === null || !held.link.hello.capabilities.includes(TELLS_OUTPUT)) return false
    held.awaitedFrom = from
    held.link.send({ kind: 'tellOutput', from })
    return true
  }

  /** Asks for a fresh status; resolves in `withinMs` at most, answered or not. */
  async refresh(run: RunId, withinMs: number): Promise<HolderStatus | null> {
    const held = this.held.get(run)
    return (await this.ask(run, withinMs)) ?? held?.status ?? null
  }

  /** As `refresh`, but null when it did not answer. */
  ask(run: RunId, withinMs: number): Promise<HolderStatus | null> {
    const held = this.held.get(run)
    if (held === undefined || held.link === null) return Promise.resolve(null)
    held.link.send({ kind: 'askStatus' })
    return new Promise((resolve) => {
      const answered = (): void => {
        clearTimeout(timer)
        resolve(held.status)
      }
      const timer = setTimeout(() => {
        held.onStatus = held.onStatus.filter((waiting) => waiting !== answered)
        resolve(null)
      }, withinMs)
      held.onStatus.push(answered)
    })
  }

  isLinked(run: RunId): boolean {
    return (this.held.get(run)?.link ?? null) !== null
  }

  /** Connects again now, and finds out whether the holder still exists. */
  async reconnect(run: RunId): Promise<void> {
    const held = this.held.get(run)
    if (held === undefined) return
    if (held.link !== null) return held.link.close() // whose end brings about the next one
    if (held.timer === null) return // a reconnect is under way
    clearTimeout(held.timer)
    await this.retry(held)
  }

  /** The exit is kept: lets the holder go and stops watching. */
  release(run: RunId): void {
    this.send(run, { kind: 'takeExit' })
    this.letGo(run)
  }

  stop(): void {
    for (const run of [...this.held.keys()]) this.letGo(run)
  }

  /** Stops watching. The holder is left as it is. */
  letGo(run: RunId): void {
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
    if (held.awaitedFrom === null || message.status.seq <= held.awaitedFrom) return
    held.awaitedFrom = null
    this.events.printed(held.card.run)
  }

  private dropped(held: Held, why: string): void {
    held.link = null
    held.awaitedFrom = null
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
    held.timer = null
    if (!isHolderAlive(held.card)) return this.gone(held)
    const link = await this.connect(held)
    if (this.held.get(held.card.run) === held) this.events.linkChanged(held.card.run, link)
  }

  private gone(held: Held): void {
    const { run, tmux } = held.card
    const end = readRunEnd({ directory: runDirectory(this.paths, run), run })
    if (end === null && tmux !== undefined) return void this.lookAfter(held, { isWanted: true })
    this.letGo(run)
    if (end === null) this.events.lost(run)
    else this.events.exited(run, end.status, end.at)
  }

  /** Its holder is gone; its program may go on. If it was followed, it gets another one at once. */
  private async lookAfter(held: Held, { isWanted }: { readonly isWanted: boolean }): Promise<void> {
    const { run } = held.card
    const found = await this.afterlife.find(held.card)
    if (this.held.get(run) !== held) return
    if (found === 'unknown') return this.failed(held, 'tmux does not answer')
    if (found === 'there') {
      held.isUnattached = true
      return isWanted ? await this.ensure(run) : undefined
    }
    this.letGo(run)
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
