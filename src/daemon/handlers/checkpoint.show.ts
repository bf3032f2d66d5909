import type { CheckpointTerminalView, CheckpointView } from '../../wire/checkpointView.ts'
import { type Checkpoint, type CheckpointTerminal, countsOf, summaryOf } from '../../workspace/checkpoint.ts'
import { placesOf, type StandingPlace } from '../../workspace/checkpointPlaces.ts'
import { redactEnvironment, redactTerminal, redactText } from '../../workspace/redact.ts'
import type { Handler } from '../connection.ts'
import { loadCheckpoint, summaryView } from '../findCheckpoint.ts'
import { topologyView } from '../view.ts'

export const showCheckpoint: Handler<'checkpoint.show'> = async (daemon, params) => {
  const found = await loadCheckpoint(daemon, params.checkpoint)
  return found.ok ? { ok: true, result: viewOf(found.value) } : found
}

function viewOf(checkpoint: Checkpoint): CheckpointView {
  const { topology } = checkpoint
  const places = placesOf(topology)
  const inDock = new Map(topology.dock.map((id, index) => [id, index]))
  const rank = ({ terminal }: CheckpointTerminal): number => inDock.get(terminal.id) ?? inDock.size
  const terminals = [...checkpoint.terminals].sort((a, b) => rank(a) - rank(b))
  const standing = [...places].map(([id, { workspace }]) => ({ id, workspace: workspace.id }))
  return {
    ...summaryView(summaryOf(checkpoint)),
    counts: countsOf(checkpoint),
    workspaces: topology.groups.flatMap((group) =>
      group.workspaces.map(({ id, name }) => ({
        ...{ id, name, group: group.name },
        terminals: standing.filter(({ workspace }) => workspace === id).map((place) => place.id),
      })),
    ),
    terminals: terminals.map((entry) => entryView(entry, places.get(entry.terminal.id))),
    topology: topologyView(topology),
  }
}

function entryView({ terminal, cwd, agent, env, screen }: CheckpointTerminal, place: StandingPlace | undefined): CheckpointTerminalView {
  const { id, name, title, spec, state, theme } = redactTerminal(terminal)
  return {
    ...{ id, name, title, state, cwd, screen },
    because: terminal.state === 'asleep' ? terminal.because : null,
    command: redactText(spec.command),
    args: [...spec.args],
    startedIn: spec.cwd,
    setEnv: spec.env,
    env: redactEnvironment(env),
    agent,
    size: spec.size,
    theme,
    workspace: place?.workspace.name ?? null,
  }
}
