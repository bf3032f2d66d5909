/** What the page knows and can do. Views draw its state and call its verbs; it draws nothing itself. */
import type { Refusal, Result } from '../base/refusal.ts'
import type { ClientState, DaemonClient } from '../client/daemonClient.ts'
import type { DaemonEvent } from '../wire/daemon.ts'
import type { TerminalView } from '../wire/view.ts'
import type { Size } from '../workspace/terminal.ts'
import type { HistoryNote } from './depth.ts'
import type { Place } from './viewer.ts'
import { LOGGED_OUT } from './webSocketTransport.ts'
import { type SizeNote, sizeNoteOf } from './words.ts'

export type Link = 'connecting' | 'live' | 'away' | 'loggedOut' | 'outdated'

export type PageState = {
  readonly link: Link
  readonly version: string | null
  /** Null until the daemon has answered for the first time: not knowing is not having none. */
  readonly terminals: readonly TerminalView[] | null
  readonly selected: string | null
  readonly notice: Refusal | null
  /** The place that this page has for the terminal it shows. */
  readonly place: Place
  /** What is said about the history at the top of it. */
  readonly historyNote: HistoryNote | null
}

export type Wish = { readonly mode: 'resume' | 'fresh'; readonly conversation?: string }

type Client = Pick<DaemonClient, 'request' | 'watch' | 'onState' | 'state'>

const HOME = '~'
const NO_PLACE: Place = { size: null, client: null }

export class Page {
  state: PageState
  private readonly client: Client
  private readonly listeners = new Set<() => void>()

  constructor(client: Client, selected: string | null) {
    this.client = client
    this.state = { link: 'connecting', version: null, terminals: null, selected, notice: null, place: NO_PLACE, historyNote: null }
    client.onState((state) => this.takeLink(state))
    client.watch({ onAll: ({ terminals }) => this.takeTerminals(terminals), onEvent: (event) => this.takeEvent(event) })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get shown(): TerminalView | null {
    return this.state.terminals?.find(({ id }) => id === this.state.selected) ?? null
  }

  select(id: string): void {
    this.change({ selected: id })
  }

  /** Goes round at both ends of the list. */
  selectBeside(step: 1 | -1): void {
    const all = this.state.terminals ?? []
    const at = all.findIndex(({ id }) => id === this.state.selected)
    const next = all.at((at + step) % all.length)
    if (next !== undefined) this.select(next.id)
  }

  async create(size: Size | null): Promise<void> {
    const cwd = this.shown?.cwd ?? HOME
    const made = await this.client.request('terminal.new', { cwd, env: {}, args: [], ...(size === null ? {} : { size }) })
    if (this.heard(made)) this.takeNew(made.value.result)
  }

  async rename(id: string, name: string): Promise<void> {
    this.heard(await this.client.request('terminal.rename', { terminal: id, name: name.trim() }))
  }

  async wake(id: string, wish: Wish): Promise<void> {
    const answer = await this.client.request('terminal.wake', { terminal: id, ...wish })
    // The terminal itself says why, and what can be done: nothing is to be said twice.
    if (!answer.ok && answer.refusal.code === 'resume-failed') return this.dismissNotice()
    this.heard(answer)
  }

  async close(id: string): Promise<void> {
    this.heard(await this.client.request('terminal.close', { terminal: id }))
  }

  takePlace(place: Place): void {
    this.change({ place })
  }

  /** Why the terminal does not have the size of its place; null where it has. */
  get sizeNote(): SizeNote | null {
    return this.shown === null ? null : sizeNoteOf(this.shown, this.state.place)
  }

  takeHistoryNote(historyNote: HistoryNote | null): void {
    if (historyNote !== this.state.historyNote) this.change({ historyNote })
  }

  dismissNotice(): void {
    this.change({ notice: null })
  }

  private heard<Value>(answer: Result<Value>): answer is { readonly ok: true; readonly value: Value } {
    this.change({ notice: answer.ok ? null : answer.refusal })
    return answer.ok
  }

  private takeLink(state: ClientState): void {
    switch (state.kind) {
      case 'connected':
        return this.change({ link: 'live', version: state.daemon.version })
      case 'waiting':
        return this.change({ link: state.why === LOGGED_OUT ? 'loggedOut' : 'away' })
      case 'over':
        return this.change({ link: 'outdated' })
      case 'connecting':
        return // an attempt to come back is no news: the banner stays until it has worked
    }
  }

  private takeTerminals(terminals: readonly TerminalView[]): void {
    const inOrder = terminals.toSorted((a, b) => a.created - b.created)
    const stays = inOrder.some(({ id }) => id === this.state.selected)
    this.change({ terminals: inOrder, selected: stays ? this.state.selected : (inOrder[0]?.id ?? null) })
  }

  private takeNew(terminal: TerminalView): void {
    const others = (this.state.terminals ?? []).filter(({ id }) => id !== terminal.id)
    const known = this.state.terminals?.find(({ id }) => id === terminal.id)
    this.takeTerminals([...others, known ?? terminal]) // an event may have told more than the answer does
    this.select(terminal.id)
  }

  private takeEvent(event: DaemonEvent): void {
    const all = this.state.terminals ?? []
    switch (event.kind) {
      case 'terminal':
        return this.takeTerminals([...all.filter(({ id }) => id !== event.terminal.id), event.terminal])
      case 'closed':
        return this.takeClosed(event.terminal)
      case 'topology':
      case 'settings':
        return
    }
  }

  /** The one below moves up, as in every list; at the end the one above is chosen. */
  private takeClosed(closed: string): void {
    const all = this.state.terminals ?? []
    const at = all.findIndex(({ id }) => id === closed)
    const left = all.filter(({ id }) => id !== closed)
    const neighbour = left[at] ?? left.at(-1)
    if (closed === this.state.selected && neighbour !== undefined) this.change({ selected: neighbour.id })
    this.takeTerminals(left)
  }

  private change(changes: Partial<PageState>): void {
    this.state = { ...this.state, ...changes }
    for (const listener of this.listeners) listener()
  }
}
