/**
 * What the page knows and can do: the mirror of the daemon, and what belongs to this page alone (which workspace it shows,
 * which terminal has the keyboard, which overlay is open). Views draw its state and call its verbs; it draws nothing itself.
 * This folder holds what every other folder reads: overlay.ts (what can be open), words.ts (what is said about a terminal),
 * standing.ts (where terminals stand), remembered.ts (what this browser remembers). It imports no other folder but device/.
 */
import { done, type Refusal, type Result } from '../../base/refusal.ts'
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import { Mirror } from '../../client/mirror.ts'
import type { Access } from '../../wire/capability.ts'
import type { CommandName, Outcome, Params } from '../../wire/commands/commands.ts'
import type { HealthView } from '../../wire/healthView.ts'
import type { PageSettings } from '../../wire/pageSettings.ts'
import type { RecoveryView } from '../../wire/recoveryView.ts'
import type { TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import type { TerminalView } from '../../wire/view.ts'
import { LOGGED_OUT, STRANGER } from '../device/webSocketTransport.ts'
import { type NewTerminal, paramsOf } from './newTerminal.ts'
import { commandOf, isStillThere, type Overlay, type Wish } from './overlay.ts'
import { OwnLooks } from './ownLooks.ts'
import { isInFront, shownOf, terminalsOfWorkspace, workspaceOf, workspacesOf } from './standing.ts'
import { Toasts } from './toasts.ts'
import { accessNews, closedText, nameOf } from './words.ts'

/** `stranger`: the program at this address is not the daemon that this browser logged in to. */
export type Link = 'connecting' | 'live' | 'away' | 'stranger' | 'loggedOut' | 'outdated'

export type PageState = {
  readonly link: Link
  readonly version: string | null
  /** In the order of the dock. Null until the daemon has answered for the first time: not knowing is not having none. */
  readonly terminals: readonly TerminalView[] | null
  readonly topology: TopologyView | null
  readonly settings: PageSettings
  /** The id of the workspace that is shown. */
  readonly workspace: string | null
  /** The id of the terminal that has the keyboard. */
  readonly focused: string | null
  readonly overlay: Overlay | null
  readonly notice: Refusal | null
  /** What went down with the machine and waits for an answer. */
  readonly recovery: RecoveryView | null
  /** Null while unknown: before the daemon has answered, and while it is away. */
  readonly health: HealthView | null
  /** The terminals that this page has asked to be woken, until the card that reports on it is closed. */
  readonly round: Round | null
  /** What this browser may ask for; null: everything, or not told yet. */
  readonly access: Access | null
}

export type Round = {
  /** In the order in which they are woken. */
  readonly ids: readonly string[]
  /** The daemon went away: terminals that were not woken yet stay asleep. */
  readonly isBroken: boolean
}

type Client = Pick<DaemonClient, 'request' | 'watch' | 'onState' | 'state'>

export type PageOptions = {
  readonly client: Client
  /** The terminal of the address. */
  readonly focused: string | null
  /** Whether the page is visible: then new output counts as read. */
  readonly isVisible: () => boolean
}

const HOME = '~'
/** Long enough to read two sentences. */
const NOTES_MS = 12_000
/** Afterwards it can be undone by a key, or in the palette. */
const UNDO_MS = 15_000
/** Until the daemon has told what the user wants. */
const USUAL_SETTINGS: PageSettings = {
  theme: 'system',
  terminalTheme: 'holdfast',
  fontFamily: '',
  fontSize: 13,
  copyOnSelect: false,
  pasteGuard: true,
  clipboard: 'ask',
  notifications: true,
  quietHours: '',
  keys: {},
}

export class Page {
  state: PageState
  readonly mirror: Mirror
  readonly toasts = new Toasts()
  private readonly client: Client
  private readonly isVisible: () => boolean
  private readonly listeners = new Set<() => void>()
  /** The terminal that had the keyboard last in each workspace. */
  private readonly lastIn = new Map<string, string>()
  private readonly looks = new OwnLooks()
  /** The terminal that was reported as seen, until its record says so. */
  private saidSeen: string | null = null

  constructor({ client, focused, isVisible }: PageOptions) {
    this.client = client
    this.isVisible = isVisible
    this.mirror = new Mirror(client)
    this.state = {
      link: 'connecting',
      version: null,
      terminals: null,
      topology: null,
      settings: USUAL_SETTINGS,
      workspace: null,
      focused,
      overlay: null,
      notice: null,
      recovery: null,
      health: null,
      round: null,
      access: null,
    }
    this.mirror.subscribe(() => this.takeMirror())
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The terminal that has the keyboard. */
  get focused(): TerminalView | null {
    return this.mirror.terminal(this.state.focused)
  }

  get workspace(): WorkspaceView | null {
    return workspacesOf(this.state.topology).find(({ id }) => id === this.state.workspace) ?? null
  }

  /** Whether this browser may ask for it: the daemon has told, from the command table. */
  may = (command: CommandName): boolean => this.state.access === null || this.state.access.commands.includes(command)

  mayOpen = (overlay: Overlay): boolean => {
    const command = commandOf(overlay)
    return command === null || this.may(command)
  }

  /** Asks the daemon; a refusal is shown. Null when it was refused. */
  async command<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Outcome<Name> | null> {
    return this.heard(await this.client.request(name, params))
  }

  /** Gives a terminal the keyboard, and shows it: its workspace, in front of its tabs, out from behind a zoomed one. */
  focus(id: string): void {
    const workspace = workspaceOf(this.state.topology, id)
    if (workspace === null) return
    this.lastIn.set(workspace.id, id)
    this.change({ focused: id, workspace: workspace.id })
    if (workspace.layout.zoomed !== null && workspace.layout.zoomed !== id) void this.zoom(id, true)
    else if (workspace.view === 'split' && !isInFront(workspace.layout, id)) this.bringToFront(id)
    this.markSeen()
  }

  /** Through all terminals in the order of the dock; goes round at both ends. */
  focusBeside(step: 1 | -1): void {
    const all = this.state.terminals ?? []
    const at = all.findIndex(({ id }) => id === this.state.focused)
    const next = all.at((at + step) % all.length)
    if (next !== undefined) this.focus(next.id)
  }

  showWorkspace(id: string): void {
    const workspace = workspacesOf(this.state.topology).find((each) => each.id === id)
    if (workspace === undefined) return
    const inside = terminalsOfWorkspace(workspace)
    const last = this.lastIn.get(id)
    const focused = inside.find((terminal) => terminal === last) ?? shownOf(workspace)[0] ?? null
    this.change({ workspace: id, focused })
    this.markSeen()
  }

  /** Goes round at both ends. */
  showWorkspaceBeside(step: 1 | -1): void {
    const all = workspacesOf(this.state.topology)
    const at = all.findIndex(({ id }) => id === this.state.workspace)
    const next = all.at((at + step) % all.length)
    if (next !== undefined) this.showWorkspace(next.id)
  }

  /** An overlay whose command this browser may not ask for is not opened. */
  open(overlay: Overlay): void {
    if (this.mayOpen(overlay)) this.change({ overlay })
  }

  closeOverlay(): void {
    if (this.state.overlay !== null) this.change({ overlay: null })
  }

  /** As `command`, but the caller shows the refusal, at the field that it is about. */
  async ask<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Result<Outcome<Name>>> {
    const answer = await this.client.request(name, params)
    return answer.ok ? done(answer.value.result) : answer
  }

  /** By default a shell, in the directory of the focused terminal, in the workspace that is shown. */
  async create(wish: NewTerminal = {}): Promise<TerminalView | null> {
    const made = await this.tryCreate(wish)
    return this.heard(made.ok ? done({ result: made.value }) : made)
  }

  async tryCreate(wish: NewTerminal): Promise<Result<TerminalView>> {
    const made = await this.ask(
      'terminal.new',
      paramsOf(wish, { directory: this.focused?.directory ?? HOME, workspace: this.state.workspace }),
    )
    if (!made.ok) return made
    this.mirror.learn(made.value)
    // A record names its workspace; an event will tell its place in the topology.
    const workspace = workspacesOf(this.state.topology).find(({ name }) => name === made.value.workspace)?.id ?? this.state.workspace
    if (workspace !== null) this.lastIn.set(workspace, made.value.id)
    this.change({ focused: made.value.id, workspace })
    return made
  }

  async rename(id: string, name: string): Promise<void> {
    await this.command('terminal.rename', { terminal: id, name: name.trim() })
  }

  /** A terminal that was imported asks for confirmation first. */
  async wake(id: string, wish: Wish): Promise<void> {
    if ((this.mirror.terminal(id)?.imported ?? null) !== null && wish.confirmed !== true)
      return this.open({ kind: 'trust', terminal: id, wish })
    const answer = await this.client.request('terminal.wake', { terminal: id, ...wish })
    // The terminal itself says why, and what can be done.
    if (!answer.ok && answer.refusal.code === 'resume-failed') return this.dismissNotice()
    if (!answer.ok && answer.refusal.code === 'resume-unsure') return this.open({ kind: 'unsure', terminal: id })
    this.heard(answer)
  }

  /** Asks for confirmation where something would be lost. */
  async sleep(id: string, { force }: { readonly force: boolean } = { force: false }): Promise<void> {
    const answer = await this.client.request('terminal.sleep', { terminal: id, force })
    if (!answer.ok && answer.refusal.code === 'would-lose') return this.open({ kind: 'sleep', terminal: id, why: answer.refusal.message })
    this.heard(answer)
  }

  async close(id: string, { removeWorktree }: { readonly removeWorktree: boolean } = { removeWorktree: false }): Promise<void> {
    const terminal = this.mirror.terminal(id)
    const closed = await this.command('terminal.close', { terminal: id, ...(removeWorktree ? { removeWorktree } : {}) })
    if (closed === null || terminal === null) return
    const text = closedText(nameOf(terminal), closed)
    const undo = { label: 'Undo', run: () => void this.reopen(id) }
    this.toasts.show({ id: `closed ${id}`, text, action: undo, forMs: UNDO_MS })
  }

  /** Without an id: the terminal that was closed last. */
  async reopen(id?: string): Promise<void> {
    const back = await this.command('terminal.reopen', id === undefined ? {} : { terminal: id })
    if (back === null) return
    const { notes, ...terminal } = back
    this.toasts.dismiss(`closed ${terminal.id}`)
    this.mirror.learn(terminal)
    this.focus(terminal.id)
    if (notes.length > 0) this.toasts.show({ id: `reopened ${terminal.id}`, text: notes.join(' '), action: null, forMs: NOTES_MS })
  }

  /** Wakes these one after the other and leaves the others asleep. The recovery is then answered. */
  async answerRecovery(wake: readonly string[]): Promise<void> {
    // Before the answer: the event that the recovery is over arrives first.
    this.change({ round: wake.length === 0 ? null : { ids: wake, isBroken: false } })
    const answer = await this.command('recovery.answer', { wake: [...wake] })
    this.change({ round: answer === null || answer.wakes.length === 0 ? null : { ids: answer.wakes, isBroken: false } })
  }

  endRound(): void {
    this.change({ round: null })
  }

  async zoom(id: string, zoomed: boolean): Promise<void> {
    if (this.may('layout.zoom')) return void (await this.command('layout.zoom', { terminal: id, zoomed }))
    const workspace = workspaceOf(this.state.topology, id)
    if (workspace !== null) this.looks.zoom(workspace.id, zoomed ? id : null)
    this.change({ topology: this.topologyHere() })
  }

  private bringToFront(id: string): void {
    if (this.may('layout.activate')) return void this.command('layout.activate', { terminal: id })
    this.looks.bring(id)
    this.change({ topology: this.topologyHere() })
  }

  /** As this page shows it. */
  private topologyHere(): TopologyView | null {
    const { topology, access } = this.mirror.state
    return topology === null || access === null ? topology : this.looks.appliedTo(topology)
  }

  /** New output in the focused terminal counts as seen while the page is visible. */
  markSeen(): void {
    const { focused } = this
    if (focused === null || !focused.unread) {
      this.saidSeen = null
      return
    }
    if (this.saidSeen === focused.id || !this.isVisible() || !this.may('terminal.seen')) return
    this.saidSeen = focused.id
    void this.client.request('terminal.seen', { terminal: focused.id })
  }

  say(notice: Refusal): void {
    this.change({ notice })
  }

  dismissNotice(): void {
    this.change({ notice: null })
  }

  private heard<Value>(answer: Result<{ readonly result: Value }>): Value | null {
    if (!answer.ok) this.change({ notice: answer.refusal })
    else if (this.state.notice !== null) this.change({ notice: null })
    return answer.ok ? answer.value.result : null
  }

  private takeMirror(): void {
    const { client, version, terminals, settings, recovery, health, access } = this.mirror.state
    const topology = this.topologyHere()
    const before = this.state
    const isFirst = before.terminals === null
    const hasOtherAccess = !isFirst && !isSameAccess(before.access, access)
    const link = linkOf(client) ?? before.link
    for (const { id } of terminals ?? []) this.toasts.dismiss(`closed ${id}`) // it was reopened
    this.change({
      link,
      version,
      terminals,
      topology,
      settings: settings ?? before.settings,
      recovery,
      health: link === 'live' ? health : null,
      round: before.round !== null && link !== 'live' ? { ...before.round, isBroken: true } : before.round,
      access,
      ...this.stillFocused(before, terminals, topology),
      overlay: !hasOtherAccess && (terminals === null || isStillThere(before.overlay, terminals)) ? before.overlay : null,
    })
    if (hasOtherAccess) this.toasts.show({ id: 'access', text: accessNews(access), action: null, forMs: NOTES_MS })
    this.markSeen()
  }

  /** A terminal that is gone gives the keyboard to its neighbour in the workspace; a workspace that is gone, to the first one. */
  private stillFocused(before: PageState, terminals: PageState['terminals'], topology: TopologyView | null): Partial<PageState> {
    if (terminals === null || topology === null) return {}
    const isThere = (id: string | null): id is string => terminals.some((terminal) => terminal.id === id)
    const standing = isThere(before.focused) ? workspaceOf(topology, before.focused) : null
    if (standing !== null) return { workspace: standing.id }
    // A terminal that was just made has no place until the daemon says where.
    if (isThere(before.focused) && before.topology === topology) return {}
    const all = workspacesOf(topology)
    const workspace = all.find(({ id }) => id === before.workspace) ?? all.find((each) => terminalsOfWorkspace(each).length > 0) ?? all[0]
    if (workspace === undefined) return { workspace: null, focused: null }
    return { workspace: workspace.id, focused: neighbourOf(before, workspace) }
  }

  private change(changes: Partial<PageState>): void {
    this.state = { ...this.state, ...changes }
    for (const listener of this.listeners) listener()
  }
}

const isSameAccess = (a: Access | null, b: Access | null): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Null: no change. An attempt to reconnect leaves the link as it is until it has succeeded. */
function linkOf(client: ClientState): Link | null {
  switch (client.kind) {
    case 'connected':
      return 'live'
    case 'waiting':
      return client.why === LOGGED_OUT ? 'loggedOut' : client.why === STRANGER ? 'stranger' : 'away'
    case 'over':
      return 'outdated'
    case 'connecting':
      return null
  }
}

/** The terminal that took the place of the one that is gone; at the end the one before it. */
function neighbourOf(before: PageState, workspace: WorkspaceView): string | null {
  const old = workspacesOf(before.topology).find(({ id }) => id === workspace.id)
  const at = old === undefined ? 0 : Math.max(0, terminalsOfWorkspace(old).indexOf(before.focused ?? ''))
  const left = terminalsOfWorkspace(workspace)
  return left[at] ?? left.at(-1) ?? null
}
