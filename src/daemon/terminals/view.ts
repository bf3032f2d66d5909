/** What clients see of a terminal. */
import { assertNever } from '../../base/assertNever.ts'
import type { Config } from '../../wire/config/config.ts'
import type { GroupView, TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import { ABSENT, type TerminalView, type WorkspaceListed } from '../../wire/view.ts'
import { terminalsOf } from '../../workspace/layout/layout.ts'
import { type Group, type Topology, type Workspace, workspaceOf, workspacesOf } from '../../workspace/layout/topology.ts'
import { offersOf } from '../../workspace/resume/chosenConversation.ts'
import { comesBack } from '../../workspace/resume/comesBack.ts'
import { wouldStart } from '../../workspace/resume/wouldStart.ts'
import { argvFor } from '../../workspace/terminal/resume.ts'
import type { Link, Terminal } from '../../workspace/terminal/terminal.ts'
import type { Agents } from '../agents/agents.ts'
import type { Verification } from '../agents/verification.ts'
import { waysOf } from '../agents/ways.ts'
import { grantOf } from '../clients/programSockets.ts'
import type { Repositories } from '../places/repositories.ts'
import { directoryOf } from './directoryOf.ts'
import type { SeenPrograms } from './seen.ts'
import type { Sizes } from './sizes.ts'
import type { WakePhases } from './wakePhases.ts'

/** What a view needs beyond the record itself. */
type ViewWorld = {
  readonly topology: Topology
  readonly sizes: Pick<Sizes, 'sizedBy'>
  readonly config: Config
  readonly agents: Pick<Agents, 'shown' | 'cameBack' | 'couldOwn'>
  readonly verification: Pick<Verification, 'troubleOf'>
  readonly activity: { of(terminal: Terminal): number | null }
  readonly checkpoints: { readonly seen: Pick<SeenPrograms, 'of'> }
  readonly repositories: Pick<Repositories, 'of'>
  readonly wakePhases: Pick<WakePhases, 'phaseOf'>
}

export function viewOf(terminal: Terminal, world: ViewWorld): TerminalView {
  const { topology, sizes, config, activity } = world
  const { id, name, title, spec, created } = terminal
  const conversation = terminal.restore.kind === 'conversation' ? terminal.restore : null
  return {
    id,
    name,
    title,
    ...ABSENT,
    ...stateOf(terminal, world),
    command: spec.command,
    args: [...spec.args],
    ...(spec.withheld === undefined ? {} : { withheld: spec.withheld }),
    cwd: spec.cwd,
    size: spec.size,
    backend: spec.backend?.kind ?? 'holder',
    tmuxSession: spec.backend?.kind === 'guest' ? spec.backend.session : null,
    sizedBy: sizes.sizedBy(id),
    workspace: workspaceOf(topology, id)?.name ?? '',
    conversation: conversation?.id ?? null,
    provenance: conversation?.provenance ?? null,
    wakePhase: world.wakePhases.phaseOf(terminal),
    activeAt: activity.of(terminal),
    back: backOf(terminal, world),
    ...placesOf(terminal, world),
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

/** What only this state has. */
function stateOf(terminal: Terminal, { config, agents, verification }: ViewWorld) {
  switch (terminal.state) {
    case 'asleep':
      return { state: terminal.state, run: terminal.lastRun, because: terminal.because, offers: offersOf(terminal, waysOf(config)) }
    case 'waking':
      return { state: terminal.state, run: terminal.run }
    case 'live': {
      const { state, run, pid, holderPid, link, foreground } = terminal
      const [agent, mismatch] = [agents.shown(run), verification.troubleOf(run)]
      return { state, run, pid, holderPid, trouble: troubleOf(link), foreground: foreground?.name ?? null, agent, mismatch }
    }
    case 'settling': {
      const { state, run, pid, holderPid, then } = terminal
      return { state, run, pid, holderPid, settlesTo: then }
    }
  }
  return assertNever(terminal)
}

/** Before a wake what it would bring back, afterwards what came back. */
function backOf(terminal: Terminal, { config, agents }: ViewWorld): TerminalView['back'] {
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

function placesOf(terminal: Terminal, world: ViewWorld): Pick<TerminalView, 'directory' | 'repository' | 'project'> {
  const directory = directoryOf(terminal, world)
  const started = world.repositories.of(terminal.spec.cwd)?.view ?? null
  return {
    directory,
    repository: world.repositories.of(directory)?.view ?? null,
    project: started === null ? null : { root: started.root, name: started.name },
  }
}

function troubleOf(link: Link): string | null {
  switch (link.kind) {
    case 'connected':
    case 'unattached':
      return null
    case 'unreachable':
      return `its holder does not answer (${link.why}); its program keeps running`
    case 'incompatible':
      return `its holder speaks protocol ${link.speaks}, which this version does not support; its program keeps running`
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
