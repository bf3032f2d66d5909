/** Makes a terminal: its place in the layout, its record, and its first run. */
import { homedir } from 'node:os'
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Params } from '../../wire/commands/commands.ts'
import { type Rect, setTile } from '../../workspace/layout/canvas.ts'
import { placeTerminal, redraw, type Topology, workspacesOf } from '../../workspace/layout/topology.ts'
import { checkNameFree } from '../../workspace/name.ts'
import { findWorkspace } from '../../workspace/terminal/find.ts'
import { newTerminal } from '../../workspace/terminal/step.ts'
import type { Spec } from '../../workspace/terminal/terminal.ts'
import { checkProgram, shellOf } from '../base/programs.ts'
import type { Handler } from '../clients/handler.ts'
import { placeBeside, type Target } from '../terminals/placeBeside.ts'
import { viewOf } from '../terminals/view.ts'
import type { Parts, Viewing } from './world.ts'

type World = Pick<
  Parts,
  'backends' | 'health' | 'inherited' | 'layout' | 'makeRunId' | 'makeTerminalId' | 'registry' | 'repositories' | 'waiting'
> &
  Viewing

export const createTerminal: Handler<'terminal.new', World> = async (daemon, params) => {
  const overloaded = daemon.health.load.isFull ? await daemon.health.load.refusesProgram() : null
  if (overloaded !== null) return refused(overloaded)
  const spec = specOf(daemon, params)
  if (!spec.ok) return spec
  const obstacle = params.backend === 'tmux' ? await daemon.backends.tmux.obstacle() : null
  if (obstacle !== null) return refused(refusals.tmuxUnusable(obstacle))
  const name = params.name === undefined ? done(null) : checkNameFree(params.name, { terminals: daemon.registry.all(), self: null })
  if (!name.ok) return name
  const target = targetOf(daemon, params)
  if (!target.ok) return target

  const id = daemon.makeTerminalId()
  const run = daemon.makeRunId()
  const placed = placedAt(daemon.topology, { terminal: id, ...target.value, rect: params.rect ?? null })
  if (!placed.ok) return placed
  try {
    // The place first: a record without a place is repaired at the next start, a place without a record is dropped.
    await daemon.layout.set(placed.value)
    const stillFree = name.value === null ? name : checkNameFree(name.value, { terminals: daemon.registry.all(), self: null })
    if (!stillFree.ok) {
      await daemon.layout.remove(id) // another client took the name while the place was written
      return stillFree
    }
    if (params.inherited !== undefined) daemon.inherited.set(run, params.inherited)
    await daemon.registry.carryOut(
      id,
      newTerminal({
        id,
        spec: spec.value,
        name: name.value,
        private: params.private === true,
        run,
        ...(params.onRestore && { onRestore: params.onRestore }),
        now: Date.now(),
      }),
    )
  } catch (error) {
    daemon.registry.abandon(id)
    daemon.inherited.delete(run)
    await daemon.layout.remove(id).catch(() => undefined) // the disk failed; the next start drops it
    return refused(refusals.diskFailed(systemReason(error)))
  }
  const terminal = await daemon.waiting.started(id)
  await daemon.repositories.knowUsed()
  if (terminal?.state === 'asleep' && terminal.because.kind === 'failed') {
    await daemon.registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
    return refused(refusals.startFailed(terminal.because.reason))
  }
  if (terminal === null) return refused(refusals.startFailed('it was closed immediately'))
  return { ok: true, result: viewOf(terminal, daemon) }
}

function targetOf(daemon: Pick<World, 'registry' | 'topology'>, { workspace, beside }: Params<'terminal.new'>): Result<Target> {
  const workspaces = workspacesOf(daemon.topology)
  const named = workspace === undefined ? null : findWorkspace(workspace, workspaces)
  if (named?.ok === false) return named
  if (beside !== undefined) return placeBeside(daemon, beside, named?.value ?? null)
  const there = named?.value ?? workspaces[0]
  return there === undefined ? refused(refusals.workspaceNotFound('')) : done({ workspace: there })
}

function placedAt(topology: Topology, wanted: Target & { readonly terminal: TerminalId; readonly rect: Rect | null }): Result<Topology> {
  const { terminal, workspace, rect, ...where } = wanted
  const placed = placeTerminal(topology, { terminal, workspace: workspace.id, ...where })
  if (!placed.ok || rect === null) return placed
  return redraw(placed.value, workspace.id, (canvas) => setTile(canvas, terminal, rect))
}

function specOf(daemon: Pick<World, 'config'>, params: Params<'terminal.new'>): Result<Spec> {
  const cwd = params.cwd === '~' || params.cwd.startsWith('~/') ? homedir() + params.cwd.slice(1) : params.cwd
  const spec: Spec = {
    command: params.command ?? shellOf(daemon.config, params.inherited ?? {}),
    args: params.args,
    cwd,
    env: params.env,
    size: params.size ?? daemon.config.size,
    ...(params.may === undefined ? {} : { may: params.may }),
  }
  const checked = checkProgram(spec, params.inherited)
  if (!checked.ok) return checked
  return done((params.backend ?? daemon.config.backend) === 'tmux' ? { ...spec, backend: { kind: 'tmux' } } : spec)
}
