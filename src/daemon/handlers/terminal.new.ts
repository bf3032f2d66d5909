import { homedir } from 'node:os'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Params } from '../../wire/commands.ts'
import { findWorkspace } from '../../workspace/find.ts'
import { checkNameFree } from '../../workspace/name.ts'
import { newTerminal } from '../../workspace/step.ts'
import type { Spec } from '../../workspace/terminal.ts'
import { placeTerminal, workspacesOf } from '../../workspace/topology.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { checkProgram, shellOf } from '../program.ts'
import { viewOf } from '../view.ts'

export const createTerminal: Handler<'terminal.new'> = async (daemon, params) => {
  const spec = specOf(daemon, params)
  if (!spec.ok) return spec
  const name = params.name === undefined ? done(null) : checkNameFree(params.name, { terminals: daemon.registry.all(), self: null })
  if (!name.ok) return name
  const workspace =
    params.workspace === undefined ? done(workspacesOf(daemon.topology)[0]) : findWorkspace(params.workspace, workspacesOf(daemon.topology))
  if (!workspace.ok) return workspace
  if (workspace.value === undefined) return refused(refusals.workspaceNotFound(''))

  const id = daemon.makeTerminalId()
  const run = daemon.makeRunId()
  const placed = placeTerminal(daemon.topology, { terminal: id, workspace: workspace.value.id })
  if (!placed.ok) return placed
  try {
    // The place first: a record without a place is repaired at the next start, a place without a record is dropped.
    await daemon.setTopology(placed.value)
    const stillFree = name.value === null ? name : checkNameFree(name.value, { terminals: daemon.registry.all(), self: null })
    if (!stillFree.ok) {
      await daemon.removeFromTopology(id) // somebody else was quicker, while this one's place was written
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
    await daemon.removeFromTopology(id).catch(() => undefined) // the same disk; the next start drops it
    return refused(refusals.diskFailed(systemReason(error)))
  }
  const terminal = await daemon.started(id)
  if (terminal?.state === 'asleep' && terminal.because.kind === 'failed') {
    await daemon.registry.apply(id, { kind: 'closeAsked', graceMs: 0 })
    return refused(refusals.startFailed(terminal.because.reason))
  }
  if (terminal === null) return refused(refusals.startFailed('it was closed again at once'))
  return { ok: true, result: viewOf(terminal, daemon) }
}

function specOf(daemon: Daemon, params: Params<'terminal.new'>): Result<Spec> {
  const cwd = params.cwd === '~' || params.cwd.startsWith('~/') ? homedir() + params.cwd.slice(1) : params.cwd
  const spec: Spec = {
    command: params.command ?? shellOf(daemon.config, params.inherited ?? {}),
    args: params.args,
    cwd,
    env: params.env,
    size: params.size ?? daemon.config.size,
  }
  const checked = checkProgram(spec, params.inherited)
  return checked.ok ? done(spec) : checked
}
