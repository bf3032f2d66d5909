/** What holders and screens tell of runs, passed on to the terminals and parts that it concerns. */
import { isStatusOf, type ProgramStatus, statusReport } from '../../agents/programStatus.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { ToHolder } from '../../wire/holder.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import { isSameSize } from '../../workspace/terminal/sizing.ts'
import { isGuest, type Link, type Size, type Terminal } from '../../workspace/terminal/terminal.ts'
import { directoriesOf } from './directoryOf.ts'
import type { Registry } from './registry.ts'
import type { SeenPrograms } from './seen.ts'

type Printed = readonly { readonly run: RunId; readonly top: number }[]

/** What of the daemon's parts is told. */
type Parts = {
  readonly registry: Pick<Registry, 'apply' | 'byRun' | 'get'>
  readonly holders: { send(run: RunId, message: ToHolder): boolean; status(run: RunId): { readonly size: Size } | null }
  readonly screens: { has(run: RunId): boolean }
  readonly runScreens: { open(run: RunId): Promise<void>; readonly deferred: { consider(run: RunId): Promise<void> } }
  readonly checkpoints: {
    readonly seen: Pick<SeenPrograms, 'of'>
    structureChanged(): void
    lookAt(terminal: Terminal): Promise<unknown>
  }
  readonly agents: {
    of(run: RunId): { readonly agent: string } | null
    stated(run: RunId, report: ReturnType<typeof statusReport>): void
    printed(runs: Printed): void
  }
  readonly indexer: { printed(runs: Printed): void }
  readonly activity: { printed(runs: Printed): void }
  readonly repositories: { printed(directories: Iterable<string>): void }
}

export class RunEvents {
  constructor(private readonly parts: Parts) {}

  /** Something that happened by itself: failures are logged and tried again by the registry. */
  react(id: TerminalId, event: TerminalEvent): void {
    this.parts.registry.apply(id, event).catch(() => undefined)
  }

  happened(run: RunId, event: TerminalEvent): void {
    const terminal = this.parts.registry.byRun(run)
    if (terminal !== null) this.react(terminal.id, event)
  }

  linkChanged(run: RunId, link: Link): void {
    const { screens, runScreens } = this.parts
    this.happened(run, { kind: 'linkChanged', run, link })
    if (link.kind !== 'connected') return
    this.learnSize(run)
    if (screens.has(run)) void runScreens.open(run)
    else void runScreens.deferred.consider(run)
  }

  /** While no daemon was linked to it, a holder may have been resized by an attached client. */
  learnSize(run: RunId): void {
    const { holders, registry } = this.parts
    const size = holders.status(run)?.size
    if (size !== undefined && !isSameSize(size, registry.byRun(run)?.spec.size ?? null)) this.happened(run, { kind: 'resized', size })
  }

  /** False where the program cannot be resized. */
  resize(id: TerminalId, run: RunId, size: Size): boolean {
    const { holders, registry } = this.parts
    const terminal = registry.get(id)
    if (terminal !== null && isGuest(terminal)) return false // its own tmux decides
    if (!holders.send(run, { kind: 'resize', size })) return false
    this.react(id, { kind: 'resized', size })
    return true
  }

  /** The program says that it is in another directory: what can be seen of that is seen now. */
  moved(run: RunId): void {
    const { checkpoints, registry } = this.parts
    checkpoints.structureChanged()
    const terminal = registry.byRun(run)
    if (terminal !== null) void checkpoints.lookAt(terminal)
  }

  /** What another program prints is not about the agent, even if it has the same form. */
  stated(run: RunId, status: ProgramStatus): void {
    const { agents } = this.parts
    const agent = agents.of(run)
    if (agent !== null && isStatusOf(agent.agent, status)) agents.stated(run, statusReport(status, Date.now()))
  }

  printed(runs: Printed): void {
    const { indexer, agents, activity, repositories, registry } = this.parts
    indexer.printed(runs)
    agents.printed(runs)
    activity.printed(runs)
    const terminals = runs.flatMap(({ run }) => registry.byRun(run) ?? [])
    repositories.printed(terminals.flatMap((terminal) => directoriesOf(terminal, this.parts)))
  }
}
