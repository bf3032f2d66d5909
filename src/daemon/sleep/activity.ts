/**
 * When each terminal last printed something or was typed into. What is printed is told by the log on disk, which outlives
 * every daemon; of private runs, which have none, and of what is typed only memory tells. It is looked up when somebody asks, and
 * nothing is written. An idle agent may draw all the same: there the moment counts from which on it has been idle.
 */
import { readdir, stat } from 'node:fs/promises'
import { isAtRest } from '../../agents/state.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import { shownRun } from '../../workspace/checkpoint/checkpoint.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Agents } from '../agents/agents.ts'
import type { Registry } from '../terminals/registry.ts'

type Surroundings = {
  readonly registry: Pick<Registry, 'all' | 'byRun'>
  readonly agents: Pick<Agents, 'summary'>
  readonly paths: Paths
}

export class Activity {
  private readonly typedAt = new Map<TerminalId, number>()
  /** As far as it was looked up, or heard of. */
  private readonly printedAt = new Map<RunId, number>()

  constructor(private readonly daemon: Surroundings) {}

  typed(id: TerminalId): void {
    this.typedAt.set(id, Date.now())
  }

  printed(runs: readonly { readonly run: RunId }[]): void {
    for (const { run } of runs) if (this.daemon.registry.byRun(run)?.private === true) this.printedAt.set(run, Date.now())
  }

  /** Null where nobody knows. */
  of(terminal: Terminal): number | null {
    const run = shownRun(terminal)
    const printed = run === null ? undefined : this.printedAt.get(run)
    const known = [this.restingSince(terminal) ?? printed, this.typedAt.get(terminal.id)].filter((at) => at !== undefined)
    return known.length === 0 ? null : Math.max(...known)
  }

  /** Its program is about to be ended: what it prints from now on is not what it did. */
  async freeze(terminal: Terminal): Promise<void> {
    await this.lookAt(terminal)
    const at = this.of(terminal)
    const run = shownRun(terminal)
    if (at !== null && run !== null) this.printedAt.set(run, at)
  }

  async look(): Promise<void> {
    const terminals = this.daemon.registry.all()
    const runs = new Set(terminals.map(shownRun))
    const ids = new Set(terminals.map(({ id }) => id))
    for (const run of this.printedAt.keys()) if (!runs.has(run)) this.printedAt.delete(run)
    for (const id of this.typedAt.keys()) if (!ids.has(id)) this.typedAt.delete(id)
    await Promise.all(terminals.map((terminal) => this.lookAt(terminal)))
  }

  /** What has ended prints no more. */
  private async lookAt(terminal: Terminal): Promise<void> {
    const run = shownRun(terminal)
    if (run === null || terminal.private) return
    if (terminal.state !== 'live' && this.printedAt.has(run)) return
    const at = await lastWritten(runDirectory(this.daemon.paths, run))
    if (at !== null) this.printedAt.set(run, at)
  }

  private restingSince(terminal: Terminal): number | undefined {
    const agent = terminal.state === 'live' ? this.daemon.agents.summary(terminal.run) : null
    return agent !== null && isAtRest(agent.state) ? agent.since : undefined
  }
}

/** Null where there is no log. */
async function lastWritten(directory: string): Promise<number | null> {
  const names = await readdir(directory).catch(() => [])
  const logs = names.filter((name) => name.endsWith('.log'))
  const times = await Promise.all(
    logs.map((name) =>
      stat(`${directory}/${name}`).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      ),
    ),
  )
  const known = times.filter((at) => at !== null)
  return known.length === 0 ? null : Math.round(Math.max(...known))
}
