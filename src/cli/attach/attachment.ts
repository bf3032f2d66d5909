/** One attachment from its first snapshot to its end: connects the holder's output, the user's input, sizes and scroll mode. */
import type { DaemonClient } from '../../client/daemonClient.ts'
import { createQueryFilter } from '../../screen/queries/queries.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { ENTER, isTyped } from '../../wire/typed.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Lead } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { EXIT } from '../core/exit.ts'
import type { Cli } from '../core/verb.ts'
import { statusText } from '../text/format.ts'
import type { DetachKeys } from './detachKeys.ts'
import { type Ending, fateOf } from './ending.ts'
import { Follower, type Position } from './follower.ts'
import { OtherSizeView } from './otherSize.ts'
import type { OwnTerminal } from './ownTerminal.ts'
import { Scrolling } from './scrolling.ts'
import { type ForeignSize, type Looked, SizeKeeper } from './sizeKeeper.ts'
import { positionOf, type Snapshot, snapshotOf } from './snapshot.ts'
import { typeInto } from './typing.ts'

export type Look = Outcome<'terminal.look'>

export type AttachmentOptions = {
  readonly first: Snapshot
  /** Null where there is no window to look through. */
  readonly look: Look | null
  readonly client: DaemonClient
  readonly own: OwnTerminal
  readonly keys: DetachKeys
  readonly cli: Cli
}

export class Attachment {
  private readonly options: AttachmentOptions
  private readonly terminal: TerminalView
  private readonly follower: Follower
  private readonly scrolling: Scrolling
  private readonly other: OtherSizeView
  private readonly sizes: SizeKeeper
  private filter = createQueryFilter()
  /** The daemon went away before the screen could be painted at its new size. */
  private isUnpainted = false
  private readonly cleanUp: (() => void)[] = []
  private settle: (ending: Ending) => void = () => undefined

  constructor(options: AttachmentOptions) {
    const { first, look, client, own, cli } = options
    this.options = options
    this.terminal = first.result.terminal
    this.follower = new Follower(positionOf(first), {
      onOutput: (bytes, taken) => this.takeOutput(bytes, taken),
      onGap: () => (this.scrolling.takesGap() ? undefined : void this.repaint(null)),
      onResized: (size) => this.sizes.programSized(size),
      onExited: (status) => this.programEnded({ text: `ended: ${statusText(status)}`, code: EXIT.ended }),
      onLost: (why, ended) =>
        this.programEnded({ text: ended ? `ended: ${why}` : `lost: ${why}`, code: ended ? EXIT.ended : EXIT.refused }),
      onInputHeld: (held) => void (held ? cli.stdin.pause() : cli.stdin.resume()),
      fate: () => fateOf(client, this.terminal.id, first.result.run),
    })
    this.scrolling = new Scrolling({
      client,
      terminal: this.terminal.id,
      own,
      position: () => this.follower.position,
      paint: (snapshot) => this.paint(snapshot),
      continueAt: (position) => this.continueAt(position),
      repaint: () => this.repaint(null),
      end: (ending) => this.end(ending),
    })
    this.other = new OtherSizeView({
      read: () => this.readScreen(),
      write: (text) => {
        if (!this.scrolling.isOpen) own.show(Buffer.from(text))
      },
      window: () => own.size,
    })
    this.sizes = new SizeKeeper(
      { told: own.size, looked: look === null ? null : lookedOf(look), program: first.result.size },
      {
        current: () => own.size,
        isConnected: () => client.state.kind === 'connected',
        look: (size, lead) => this.look(size, lead),
        tellHolder: (size) => this.follower.resize(size),
        onForeign: (foreign) => this.showForeign(foreign),
      },
    )
  }

  /** Resolves when the user detaches or the program ends. */
  start(): Promise<Ending> {
    const { first, client, own, keys, cli } = this.options
    const { follower, scrolling, other, sizes } = this
    const ended = new Promise<Ending>((resolve) => {
      this.settle = resolve
    })
    // First of all: a signal may come as soon as something is painted.
    this.cleanUp.push(onSignals(() => this.detach(EXIT.refused), own))
    own.enter()
    own.freshen()
    own.show(first.blob)
    sizes.start()
    void own.passOutputUnchanged().then(() => follower.start())
    cli.stdout.on('resize', sizes.windowChanged)
    cli.stdout.on('resize', scrolling.windowChanged)
    this.cleanUp.push(
      () => follower.close(),
      () => other.leave(),
      () => scrolling.close(),
      () => sizes.close(),
      () => cli.stdout.off('resize', sizes.windowChanged),
      () => cli.stdout.off('resize', scrolling.windowChanged),
      client.onState(({ kind }) => kind === 'connected' && this.daemonIsBack()),
      typeInto({
        input: cli.stdin,
        keys,
        send: (bytes) => this.send(bytes),
        scroll: () => scrolling.open(),
        detached: () => this.detach(EXIT.done),
      }),
    )
    return ended
  }

  private end(ending: Ending): void {
    for (const act of this.cleanUp.splice(0).reverse()) act()
    this.settle(ending)
  }

  private detach(code: Ending['code']): void {
    this.end({ text: `detached from ${this.terminal.name ?? this.terminal.id}`, code })
  }

  /** The last bytes of a program belong on the screen before the line that says how it ended. */
  private programEnded(ending: Ending): void {
    if (!this.scrolling.takesEnding(ending)) this.options.own.show(this.filter.flush(), () => this.end(ending))
  }

  private takeOutput(bytes: Uint8Array, taken: () => void): void {
    if (this.scrolling.takesOutput(bytes)) return taken()
    const shown = this.filter(bytes)
    if (this.other.isShown) this.other.changed()
    if (shown.length === 0 || this.other.isShown) taken()
    else this.options.own.show(shown, taken)
  }

  private send(bytes: Uint8Array): void {
    if (this.scrolling.takesTyped(bytes)) return
    this.follower.input(bytes)
    if (isTyped(bytes)) this.sizes.typed()
    if (bytes.includes(ENTER)) void this.options.client.request('terminal.seen', { terminal: this.terminal.id, entered: true })
  }

  private async repaint(size: Size | null): Promise<void> {
    const snapshot = await snapshotOf(this.options.client, { terminal: this.terminal.id, size, history: 0 })
    // New output can be shown without a snapshot; only a repaint at a new size waits for the daemon.
    this.isUnpainted = !snapshot.ok && snapshot.refusal.code === 'daemon-unreachable' && size !== null
    if (this.isUnpainted) return
    if (!snapshot.ok) return this.end({ text: `lost: ${snapshot.refusal.message}`, code: EXIT.refused })
    this.paint(snapshot.value)
  }

  private paint(snapshot: Snapshot): void {
    this.options.own.wipe()
    this.options.own.show(snapshot.blob)
    this.continueAt(positionOf(snapshot))
    this.sizes.programSized(snapshot.result.size)
    this.other.again()
  }

  private continueAt(position: Position): void {
    this.filter = createQueryFilter()
    this.follower.moveTo(position)
  }

  private daemonIsBack(): void {
    this.sizes.daemonIsBack()
    if (this.isUnpainted) void this.repaint(this.options.own.size)
    this.other.changed()
  }

  private async look(size: Size, lead: Lead): Promise<Looked | null> {
    const answer = await this.options.client.request('terminal.look', { terminal: this.terminal.id, size, lead })
    return answer.ok ? lookedOf(answer.value.result) : null
  }

  private showForeign(foreign: ForeignSize | null): void {
    if (foreign !== null) return this.other.show(foreign)
    this.other.leave()
    if (!this.scrolling.isOpen) void this.repaint(this.options.own.size) // else leaving scroll mode paints everything
  }

  /** The lines of the program's screen, with colors; null when the daemon does not answer. */
  private async readScreen(): Promise<string | null> {
    const { client } = this.options
    if (client.state.kind !== 'connected') return null
    const answer = await client.request('terminal.read', { terminal: this.terminal.id, history: 0, format: 'ansi' })
    return answer.ok ? answer.value.result.content : null
  }
}

const lookedOf = ({ client, terminal: { sizedBy } }: Look): Looked => ({
  leads: sizedBy.kind === 'client' && sizedBy.client === client,
  sizedBy,
})

function onSignals(end: () => void, own: OwnTerminal): () => void {
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
  // A stack trace on a raw alternate screen is unreadable: reset the terminal first.
  const crash = (error: unknown): void => {
    own.restore()
    console.error(error)
    process.exit(EXIT.refused)
  }
  for (const signal of signals) process.on(signal, end)
  process.on('uncaughtException', crash)
  return () => {
    for (const signal of signals) process.off(signal, end)
    process.off('uncaughtException', crash)
  }
}
