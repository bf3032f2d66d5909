/** A plan made of what is there now: the facts that the pure planner asks for, and its answer as clients see it. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { makePlace } from '../../base/ids.ts'
import { done, type Result } from '../../base/refusal.ts'
import type { RestorePlanView } from '../../wire/checkpointView.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import { planLines } from '../../workspace/checkpoint/checkpointDiffText.ts'
import { isSameHost } from '../../workspace/checkpoint/checkpointHost.ts'
import { pathsToCheck, planRestore, type RestorePlan } from '../../workspace/checkpoint/planRestore.ts'
import { USUAL_POLICY } from '../../workspace/checkpoint/planRestoreWakes.ts'
import { type Topology, workspaceOf, workspacesOf } from '../../workspace/layout/topology.ts'
import { wouldStart } from '../../workspace/resume/wouldStart.ts'
import { findWorkspace } from '../../workspace/terminal/find.ts'
import { currentRun } from '../../workspace/terminal/terminal.ts'
import { waysOf } from '../agents/ways.ts'
import { type Home, ownCheckpoint } from '../imports/copiedHome.ts'
import type { Registry } from '../terminals/registry.ts'

type Planning = Home & { readonly registry: Pick<Registry, 'all'>; readonly topology: Topology }

export type Wanted = {
  readonly checkpoint: Checkpoint
  /** A workspace of the checkpoint, by id or name. */
  readonly only?: string | undefined
  /** What was not there then and sleeps now is forgotten, unless it is to be kept. */
  readonly asleepStrangers?: 'keep' | 'forget'
}

/** Nothing is woken: a user who restores by hand also wakes by hand. */
export async function planFor(daemon: Planning, wanted: Wanted): Promise<Result<RestorePlan>> {
  const { only, asleepStrangers = 'forget' } = wanted
  const checkpoint = await ownCheckpoint(daemon, wanted.checkpoint)
  const workspace = only === undefined ? null : findWorkspace(only, workspacesOf(checkpoint.topology))
  if (workspace?.ok === false) return workspace
  const host = { id: daemon.checkpoints.host, isSame: await isFromHere(daemon, checkpoint) }
  const terminals = daemon.registry.all()
  const planned = planRestore({
    checkpoint,
    present: { terminals, topology: daemon.topology },
    holders: terminals.flatMap((terminal) => {
      const run = currentRun(terminal)
      return run === null ? [] : [{ terminal: terminal.id, run }]
    }),
    policy: USUAL_POLICY,
    host,
    paths: new Map(pathsToCheck(checkpoint).map((path) => [path, existsSync(path)])),
    focused: null,
    now: Date.now(),
    spare: makePlace(randomBytes),
    asleepStrangers,
    ...(workspace === null ? {} : { only: workspace.value.id }),
  })
  return planned.ok ? done({ ...planned.value, wakes: [], notWoken: [] }) : planned
}

/** A session that is not recorded counts as one of this machine. */
async function isFromHere(daemon: Home, { session }: Checkpoint): Promise<boolean> {
  if (session === daemon.checkpoints.session) return true
  const taken = (await daemon.store.sessions()).find(({ id }) => id === session)
  return taken === undefined || isSameHost(taken.host, daemon.checkpoints.host)
}

export function planView(plan: RestorePlan, daemon: Pick<Home, 'config'> & { readonly registry: Pick<Registry, 'get'> }): RestorePlanView {
  const { checkpoint, only, steps, topology, host, missingPaths } = plan
  const ways = waysOf(daemon.config)
  const starts = new Map(
    steps.flatMap((step) =>
      'terminal' in step && step.terminal.imported !== undefined ? [[step.id, wouldStart(step.terminal, 'resume', ways)] as const] : [],
    ),
  )
  return {
    checkpoint: { ...checkpoint },
    only,
    steps: steps.map((step) => {
      const record = 'terminal' in step ? step.terminal : daemon.registry.get(step.id)
      const { kind, id: terminal, why } = step
      const start = starts.get(terminal) ?? null
      return { kind, terminal, name: record?.name ?? null, workspace: workspaceOf(topology, terminal)?.name ?? null, why, start }
    }),
    host: { name: host.id.name, isSame: host.isSame },
    missingPaths: missingPaths.map(({ path, terminals }) => ({ path, terminals: [...terminals] })),
    lines: [...planLines(plan, starts)],
  }
}
