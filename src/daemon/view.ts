/** What clients see of a terminal. */
import { assertNever } from '../base/assertNever.ts'
import type { Config } from '../wire/config.ts'
import type { GroupView, TopologyView, WorkspaceView } from '../wire/topologyView.ts'
import type { TerminalView, WorkspaceListed } from '../wire/view.ts'
import { comesBack } from '../workspace/comesBack.ts'
import { terminalsOf } from '../workspace/layout.ts'
import { offersOf } from '../workspace/offers.ts'
import { argvFor } from '../workspace/resume.ts'
import type { Link, Terminal } from '../workspace/terminal.ts'
import { type Group, type Topology, type Workspace, workspaceOf, workspacesOf } from '../workspace/topology.ts'
import { wouldStart } from '../workspace/wouldStart.ts'
import type { Agents } from './agents/agents.ts'
import type { Verification } from './agents/verification.ts'
import { waysOf } from './agents/ways.ts'
import { grantOf } from './clients/programSockets.ts'
import { directoryOf } from './directoryOf.ts'
import type { Repositories } from './places/repositories.ts'
import type { SeenPrograms } from './seen.ts'
import type { Sizes } from './sizes.ts'
import type { Activity } from './sleep/activity.ts'
import type { WakePhases } from './wakePhases.ts'

/** What a view needs beyond the record itself. */
type Surroundings = {
  readonly topology: Topology
  readonly sizes: Pick<Sizes, 'sizedBy'>
  readonly config: Config
  readonly agents: Pick<Agents, 'shown' | 'cameBack' | 'couldOwn'>
  readonly verification: Pick<Verification, 'troubleOf'>
  readonly activity: Pick<Activity, 'of'>
  readonly checkpoints: { readonly seen: Pick<SeenPrograms, 'of'> }
  readonly repositories: Pick<Repositories, 'of'>
  readonly wakePhases: Pick<WakePhases, 'phaseOf'>
}

export function viewOf(terminal: Terminal, surroundings: Surroundings): TerminalView {
  const { topology, sizes, config, agents, verification, activity } = surroundings
  const { id, name, title, spec, created } = terminal
  const live = terminal.state === 'live' ? terminal : null
  const held = terminal.state === 'live' || terminal.state === 'settling' ? terminal : null
  const conversation = terminal.restore.kind === 'conversation' ? terminal.restore : null
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
    ...(spec.withheld === undefined ? {} : { withheld: spec.withheld }),
    cwd: spec.cwd,
    size: spec.size,
    backend: spec.backend?.kind ?? 'holder',
    tmuxSession: spec.backend?.kind === 'guest' ? spec.backend.session : null,
    sizedBy: sizes.sizedBy(id),
    workspace: workspaceOf(topology, id)?.name ?? '',
    foreground: live?.foreground?.name ?? null,
    agent: live === null ? null : agents.shown(live.run),
    conversation: conversation?.id ?? null,
    provenance: conversation?.provenance ?? null,
    mismatch: live === null ? null : verification.troubleOf(live.run),
    wakePhase: surroundings.wakePhases.phaseOf(terminal),
    settlesTo: terminal.state === 'settling' ? terminal.then : null,
    activeAt: activity.of(terminal),
    offers: terminal.state === 'asleep' ? offersOf(terminal, waysOf(config)) : null,
    back: backOf(terminal, surroundings),
    ...placesOf(terminal, surroundings),
    theme: terminal.theme,
    pinned: terminal.pinned,
    muted: terminal.muted,
    unread: terminal.unread,
    private: terminal.private,
    onRestore: terminal.onRestore,
    may: grantOf(terminal, config),
    created,
    since: terminal.state === 'settling' ? terminal.touched : terminal.since,
    imported: importedView(terminal, config),
  }
}

/** Before a wake what it would bring back, afterwards what came back. */
function backOf(terminal: Terminal, { config, agents }: Surroundings): TerminalView['back'] {
  if (terminal.state !== 'asleep') return agents.cameBack(terminal.run)
  const ways = waysOf(config)
  const argv = argvFor(terminal, 'resume', ways)
  return comesBack(terminal, argv, ways, agents.couldOwn(terminal.id, argv))
}

function importedView(terminal: Terminal, config: Config): TerminalView['imported'] {
  const { imported } = terminal
  if (imported === undefined) return null
  const ways = waysOf(config)
  const [resume, fresh] = [wouldStart(terminal, 'resume', ways), wouldStart(terminal, 'fresh', ways)]
  return { ...imported, resume, fresh }
}

function placesOf(terminal: Terminal, surroundings: Surroundings): Pick<TerminalView, 'directory' | 'repository' | 'project'> {
  const directory = directoryOf(terminal, surroundings)
  const started = surroundings.repositories.of(terminal.spec.cwd)?.view ?? null
  return {
    directory,
    repository: surroundings.repositories.of(directory)?.view ?? null,
    project: started === null ? null : { root: started.root, name: started.name },
  }
}

function troubleOf(link: Link): string | null {
  switch (link.kind) {
    case 'connected':
    case 'unattached':
      return null
    case 'unreachable':
      return `its holder does not answer (${link.why}); the program is left alone`
    case 'incompatible':
      return `its holder speaks protocol ${link.speaks}, which this version does not know; it is left alone`
  }
  return assertNever(link)
}

export const listedWorkspaces = ({ groups }: Topology): WorkspaceListed[] =>
  groups.flatMap((group) =>
    group.workspaces.map(({ id, name, layout }) => ({ id, name, group: group.name, terminals: [...terminalsOf(layout)] })),
  )

export function listedWorkspace(topology: Topology, id: string): WorkspaceListed {
  const listed = listedWorkspaces(topology).find((workspace) => workspace.id === id)
  if (listed === undefined) throw new Error(`there is no workspace ${id}`)
  return listed
}

export const topologyView = ({ groups, dock }: Topology): TopologyView => ({ groups: groups.map(groupShown), dock: [...dock] })

export function groupView(topology: Topology, id: string): GroupView {
  const group = topology.groups.find((other) => other.id === id)
  if (group === undefined) throw new Error(`there is no group ${id}`)
  return groupShown(group)
}

export function workspaceView(topology: Topology, id: string): WorkspaceView {
  const workspace = workspacesOf(topology).find((other) => other.id === id)
  if (workspace === undefined) throw new Error(`there is no workspace ${id}`)
  return workspaceShown(workspace)
}

const groupShown = ({ id, name, color, workspaces }: Group): GroupView => ({ id, name, color, workspaces: workspaces.map(workspaceShown) })

const workspaceShown = ({ id, name, view, layout, canvas }: Workspace): WorkspaceView => ({ id, name, view, layout, canvas: { ...canvas } })
