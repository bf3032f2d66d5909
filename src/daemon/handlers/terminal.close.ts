/** Closing: what it would end, the closed terminals that can still be reopened, and what is forgotten for good. */
import { agentNamed } from '../../agents/programs/all.ts'
import type { ClosedView, ClosingView } from '../../wire/commands/closing.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { workspaceOf, workspacesOf, workspaceWithId } from '../../workspace/layout/topology.ts'
import type { Closed } from '../../workspace/terminal/closed.ts'
import { leftOf } from '../../workspace/terminal/resume.ts'
import { type Running, type Sighting, whatRuns } from '../../workspace/terminal/running.ts'
import { type Asleep, isGuest, type Terminal } from '../../workspace/terminal/terminal.ts'
import type { Sight } from '../agents/processLook.ts'
import { planForget } from '../forget/plan.ts'
import { putWorktreeBack } from '../places/removeWorktree.ts'
import { isTrustedRepository } from '../places/worktrees.ts'
import { closeWithWorktree } from '../terminals/closeWithWorktree.ts'
import { directoryOf } from '../terminals/directoryOf.ts'
import { endAndClose, outOfReach } from '../terminals/endAndClose.ts'
import { find } from '../terminals/find.ts'
import { viewOf } from '../terminals/view.ts'
import { worktreeOf } from '../terminals/worktreeOf.ts'
import type { Handlers, Of, Parts, Viewing } from './world.ts'

const NOTHING: Running = { program: null, others: 0 }
/** A program that cannot be looked at may be busy. */
const UNSEEN = 'its program'
/** The user's own tmux may still use the worktree. */
const IN_USE = () => ({ path: null, removed: false, why: 'it is a guest; Holdfast does not end its program' })

type World = Pick<
  Parts,
  'agents' | 'checkpoints' | 'closed' | 'config' | 'forgetting' | 'holders' | 'registry' | 'repositories' | 'topology' | 'umask'
> &
  Parameters<typeof endAndClose>[0] &
  Parameters<typeof planForget>[0] &
  Viewing
type Names = 'terminal.close' | 'terminal.closing' | 'terminal.closed' | 'terminal.reopen' | Of<'forget'>

export const closeHandlers: Handlers<Names, World> = {
  'terminal.close': async (daemon, params) => {
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    const terminal = found.value
    const { id } = terminal
    const unreachable = outOfReach(terminal)
    if (unreachable !== null) return unreachable
    await daemon.agents.look(id) // an agent that has just started is ended its own way
    const directory = directoryOf(terminal, daemon)
    const closed = await endAndClose(daemon, id)
    if (!closed.ok) return closed
    const removal = isGuest(terminal) ? IN_USE : () => closeWithWorktree(daemon, id, directory)
    const worktree = params.removeWorktree === true ? await removal() : null
    const goesOn = isGuest(terminal) && terminal.state !== 'asleep'
    return { ok: true, result: { id, goesOn, until: daemon.closed.get(id)?.until ?? Date.now(), worktree } }
  },

  'terminal.closing': async (daemon, params) => {
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    const terminal = found.value
    if (isGuest(terminal) && terminal.state !== 'asleep') return { ok: true, result: lettingGo(terminal) }
    await daemon.agents.look(terminal.id)
    const [{ program, others }, inWorktree] = await Promise.all([
      runningIn(daemon, terminal),
      params.worktree === false || isGuest(terminal) ? null : worktreeOf(daemon, terminal),
    ])
    const agent = terminal.state === 'live' ? daemon.agents.shown(terminal.run) : null
    const worktree = inWorktree === null ? null : worktreeView(inWorktree)
    const { id, name, state } = terminal
    const asks = state === 'asleep' ? hasSomethingToShow(terminal) : program !== null || others > 0 || agent !== null
    const goesOn = false
    return {
      ok: true,
      result: { id, name, state, asks, goesOn, program, agent, others, conversation: conversationOf(daemon, id), worktree },
    }
  },

  'terminal.closed': (daemon) => ({ ok: true, result: daemon.closed.all().map((closed) => closedView(closed, daemon)) }),

  'terminal.reopen': async (daemon, params) => {
    const found = daemon.closed.find(params.terminal)
    if (!found.ok) return found
    const notes: string[] = []
    const reopened = await daemon.closed.reopen(found.value.terminal.id, async (closed) => {
      notes.push(...(await worktreeNotes(daemon, closed)))
      const { record, said } = asItCanBe(daemon, closed.terminal)
      notes.push(...said)
      return record
    })
    if (!reopened.ok) return reopened
    await daemon.repositories.knowUsed()
    return { ok: true, result: { ...viewOf(reopened.value, daemon), notes } }
  },

  'forget.plan': async (daemon, params) => {
    const planned = await planForget(daemon, params)
    return planned.ok ? { ok: true, result: planned.value.view } : planned
  },

  'forget.apply': async (daemon, params) => {
    const forgotten = await daemon.forgetting.apply(params)
    return forgotten.ok ? { ok: true, result: forgotten.value } : forgotten
  },
}

/** A guest loses nothing: its program keeps running in the user's tmux. */
const lettingGo = ({ id, name, state }: Terminal): ClosingView => ({
  ...{ id, name, state, asks: false, goesOn: true },
  ...{ program: null, agent: null, others: 0, conversation: null, worktree: null },
})

/** A terminal that never ran, or whose output was not kept, loses nothing. */
const hasSomethingToShow = ({ lastRun, private: isPrivate, restore }: Terminal): boolean =>
  (lastRun !== null && !isPrivate) || restore.kind === 'conversation'

async function runningIn(daemon: Pick<World, 'agents' | 'holders'>, terminal: Terminal): Promise<Running> {
  if (terminal.state === 'asleep') return NOTHING
  const card = daemon.holders.card(terminal.run)
  const sighting = card === null ? null : await daemon.agents.withSight((sight) => sightingOf(sight, card))
  return sighting === null ? { program: UNSEEN, others: 0 } : whatRuns(sighting)
}

/** The program and its descendants; null if they cannot be looked at. */
async function sightingOf(sight: Sight, { pid, pidStart }: HolderCard): Promise<Sighting | null> {
  const root = { pid, start: pidStart }
  const keyboard = sight.keyboardOf(root)
  if (keyboard === null) return null
  return { processes: await sight.processesOf(root, keyboard.group), root: pid, group: keyboard.group }
}

/** Read from the record again: the look before may have found another conversation. */
function conversationOf(daemon: Pick<World, 'config' | 'registry'>, id: Terminal['id']): ClosingView['conversation'] {
  const restore = daemon.registry.get(id)?.restore
  if (restore?.kind !== 'conversation') return null
  return { agent: agentNamed(daemon.config.agents, restore.agent)?.label ?? restore.agent, id: restore.id }
}

function worktreeView({ name, worktree, verdict }: NonNullable<Awaited<ReturnType<typeof worktreeOf>>>): ClosingView['worktree'] {
  const { path, branch } = worktree
  return { name, path, branch, isRemovable: verdict === null, kind: verdict?.kind ?? null, why: verdict?.why ?? null }
}

function closedView({ terminal, at, until, before, seen }: Closed, { topology }: Pick<World, 'topology'>): ClosedView {
  const { id, name, spec } = terminal
  const home = workspaceOf(before, id)
  const workspace = (home === null ? null : workspaceWithId(topology, home.id)) ?? workspacesOf(topology)[0]
  const { command, args, cwd } = spec
  return { id, name, command: commandText(command, args), directory: seen.cwd ?? cwd, workspace: workspace?.name ?? '', at, until }
}

/** A terminal is reopened even without its worktree: it has a screen and a history to show. */
async function worktreeNotes(daemon: Pick<World, 'config' | 'umask'>, { worktree }: Closed): Promise<readonly string[]> {
  if (worktree === null) return []
  const isTrusted = isTrustedRepository(worktree.root, daemon.config.repositories.trusted)
  const back = await putWorktreeBack(worktree, { umask: daemon.umask, isTrusted })
  if (!back.ok) return [`cannot restore its worktree ${worktree.path}: ${back.refusal.message}`]
  return back.value ? [`Restored its worktree ${worktree.path}.`] : []
}

/** A name or conversation belongs to one terminal: another terminal that has taken it keeps it. */
function asItCanBe(
  daemon: Pick<World, 'agents' | 'registry'>,
  terminal: Asleep,
): { readonly record: Asleep; readonly said: readonly string[] } {
  const { id, name, restore } = terminal
  const isTaken = name !== null && daemon.registry.all().some((other) => other.name === name)
  const owner = restore.kind === 'conversation' ? daemon.agents.claimedBy(id, restore.agent, restore.id) : null
  const ownerName = owner === null ? null : (daemon.registry.get(owner)?.name ?? owner)
  return {
    record: {
      ...terminal,
      ...(isTaken ? { name: null } : {}),
      ...(restore.kind === 'conversation' && owner !== null ? { restore: leftOf(restore.agent, restore) } : {}),
    },
    said: [
      ...(isTaken ? [`It has no name, because another terminal is now named “${name}”.`] : []),
      ...(ownerName === null ? [] : [`It starts with a shell, because its conversation is open in “${ownerName}”.`]),
    ],
  }
}
