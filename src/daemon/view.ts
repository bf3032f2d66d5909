/** What clients see of a terminal. */
import { assertNever } from '../base/assertNever.ts'
import type { TerminalView } from '../wire/view.ts'
import type { Link, Terminal } from '../workspace/terminal.ts'
import { type Topology, workspaceOf, workspacesOf } from '../workspace/topology.ts'
import type { Sizes } from './sizes.ts'

/** What a view needs beyond the record itself. */
type Surroundings = { readonly topology: Topology; readonly sizes: Pick<Sizes, 'sizedBy'> }

export function viewOf(terminal: Terminal, { topology, sizes }: Surroundings): TerminalView {
  const { id, name, title, spec, created } = terminal
  const live = terminal.state === 'live' ? terminal : null
  const held = terminal.state === 'live' || terminal.state === 'settling' ? terminal : null
  return {
    id,
    name,
    title,
    state: terminal.state,
    because: terminal.state === 'asleep' ? terminal.because : null,
    trouble: live === null ? null : troubleOf(live.link),
    run: terminal.state === 'asleep' ? terminal.lastRun : terminal.run,
    pid: held?.pid ?? null,
    holderPid: held?.holderPid ?? null,
    command: spec.command,
    args: [...spec.args],
    cwd: spec.cwd,
    size: spec.size,
    sizedBy: sizes.sizedBy(id),
    workspace: workspaceOf(topology, id)?.name ?? '',
    foreground: live?.foreground?.name ?? null,
    agent: live?.agent ?? null,
    conversation: terminal.restore.kind === 'conversation' ? terminal.restore.id : null,
    onRestore: terminal.onRestore,
    created,
    since: terminal.state === 'settling' ? terminal.touched : terminal.since,
  }
}

function troubleOf(link: Link): string | null {
  switch (link.kind) {
    case 'connected':
      return null
    case 'unreachable':
      return `its holder does not answer (${link.why}); the program is left alone`
    case 'incompatible':
      return `its holder speaks protocol ${link.speaks}, which this version does not know; it is left alone`
  }
  return assertNever(link)
}

export const workspaceViews = (topology: Topology): { id: string; name: string }[] =>
  workspacesOf(topology).map(({ id, name }) => ({ id, name }))
