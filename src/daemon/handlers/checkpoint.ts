/** Checkpoints: taken, listed, shown, compared and deleted. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { CheckpointTerminalView, CheckpointView } from '../../wire/checkpointView.ts'
import type { Params } from '../../wire/commands/commands.ts'
import {
  type Checkpoint,
  type CheckpointTerminal,
  countsOf,
  summaryOf,
  type WorkspaceState,
} from '../../workspace/checkpoint/checkpoint.ts'
import { diffCheckpoints, placesOf, type StandingPlace } from '../../workspace/checkpoint/checkpointDiff.ts'
import { findCheckpoint as findIn } from '../../workspace/checkpoint/findCheckpoint.ts'
import { redactEnvironment, redactText } from '../../workspace/redact/redact.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import { redactTerminal } from '../../workspace/terminal/redactTerminal.ts'
import { safeText } from '../../workspace/text.ts'
import { findCheckpoint, loadCheckpoint, summaryView } from '../checkpoints/findCheckpoint.ts'
import type { Reply } from '../clients/handler.ts'
import { topologyView } from '../terminals/view.ts'
import type { Handlers, Of, Parts } from './world.ts'

const MAX_NOTE_LENGTH = 500 // characters

type World = Pick<Parts, 'checkpoints' | 'store' | 'screens' | 'log'>

export const checkpointHandlers: Handlers<Of<'checkpoint'>, World> = {
  'checkpoint.list': async ({ store }) => ({ ok: true, result: (await store.checkpoints()).map(summaryView) }),

  'checkpoint.show': async (daemon, params) => {
    const found = await loadCheckpoint(daemon, params.checkpoint)
    return found.ok ? { ok: true, result: viewOf(found.value) } : found
  },

  'checkpoint.screen': (daemon, params) => checkpointScreen(daemon, params),

  'checkpoint.diff': async (daemon, params) => {
    const from = await sideOf(daemon, params.from)
    if (!from.ok) return from
    const to = await sideOf(daemon, params.to)
    if (!to.ok) return to
    const diff = diffCheckpoints(from.value.state, to.value.state)
    return { ok: true, result: { from: from.value.label, to: to.value.label, diff } }
  },

  'checkpoint.create': async (daemon, { note }) => {
    const text = safeText(note ?? '', MAX_NOTE_LENGTH).trim()
    try {
      const { id } = await daemon.checkpoints.take('manual', text === '' ? null : text)
      const kept = await findCheckpoint(daemon, id)
      return kept.ok ? { ok: true, result: summaryView(kept.value) } : kept
    } catch (error) {
      return refused(refusals.diskFailed((error as Error).message))
    }
  },

  'checkpoint.delete': async (daemon, { checkpoint, force }) => {
    const all = await daemon.store.checkpoints()
    const found = findIn(checkpoint, all)
    if (!found.ok) return found
    const { id } = found.value
    if (!force && all.find(({ knownGood }) => knownGood)?.id === id) return refused(refusals.checkpointNewestGood(id))
    const existed = await daemon.store.deleteCheckpoint(id)
    daemon.log.info({ checkpoint: id }, 'a checkpoint was deleted')
    return existed ? { ok: true, result: { id } } : refused(refusals.checkpointNotFound(checkpoint, all.length))
  },
}

/** The screen of a terminal as a checkpoint has it. */
export async function checkpointScreen(
  daemon: Pick<World, 'store' | 'screens'>,
  { checkpoint: ref, terminal: wanted, format }: Params<'checkpoint.screen'>,
): Promise<Reply<'checkpoint.screen'>> {
  const loaded = await loadCheckpoint(daemon, ref)
  if (!loaded.ok) return loaded
  const { id: checkpoint, terminals } = loaded.value
  const found = findTerminal(
    wanted,
    terminals.map(({ terminal: { id, name }, screen }) => ({ id, name, screen })),
  )
  const missing = (why: string, terminal = wanted) => refused(refusals.checkpointScreenMissing(checkpoint, terminal, why))
  if (!found.ok) return found.refusal.code === 'terminal-not-found' ? missing('it has no such terminal') : found
  const { id: terminal, screen } = found.value
  if (screen === null) return missing('none was saved')
  const kept = await daemon.store.checkpointScreen(checkpoint, terminal)
  if (kept === null) return missing('it is damaged')
  const picture = await daemon.screens.picture(kept.bytes, format)
  return picture === null ? missing('it cannot be decoded') : { ok: true, result: { checkpoint, terminal, content: picture.content } }
}

type Side = { readonly label: string; readonly state: WorkspaceState }

async function sideOf(daemon: Pick<World, 'checkpoints' | 'store'>, ref: string): Promise<Result<Side>> {
  if (ref === 'now') return done({ label: 'now', state: await daemon.checkpoints.now() })
  const loaded = await loadCheckpoint(daemon, ref)
  return loaded.ok ? done({ label: loaded.value.id, state: loaded.value }) : loaded
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
