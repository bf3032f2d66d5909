import { agentNamed } from '../../agents/all.ts'
import type { ClosingView } from '../../wire/commands/closing.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { isGuest, type Terminal } from '../../workspace/terminal.ts'
import { type Running, type Sighting, whatRuns } from '../../workspace/whatRuns.ts'
import type { Sight } from '../agents/processLook.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { find } from '../find.ts'
import { worktreeOf } from '../worktreeOf.ts'

const NOTHING: Running = { program: null, others: 0 }
/** Whoever cannot be seen may be busy. */
const UNSEEN = 'its program'

export const closingOf: Handler<'terminal.closing'> = async (daemon, params) => {
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
  return { ok: true, result: { id, name, state, asks, goesOn, program, agent, others, conversation: conversationOf(daemon, id), worktree } }
}

/** Nothing is lost: it goes on where it is at home, and so does all that it needs. */
const lettingGo = ({ id, name, state }: Terminal): ClosingView => ({
  ...{ id, name, state, asks: false, goesOn: true },
  ...{ program: null, agent: null, others: 0, conversation: null, worktree: null },
})

/** One that never ran, or of which nothing was kept, has nothing to lose. */
const hasSomethingToShow = ({ lastRun, private: isPrivate, restore }: Terminal): boolean =>
  (lastRun !== null && !isPrivate) || restore.kind === 'conversation'

async function runningIn(daemon: Daemon, terminal: Terminal): Promise<Running> {
  if (terminal.state === 'asleep') return NOTHING
  const card = daemon.holders.card(terminal.run)
  const sighting = card === null ? null : await daemon.agents.withSight((sight) => sightingOf(sight, card))
  return sighting === null ? { program: UNSEEN, others: 0 } : whatRuns(sighting)
}

/** The program and everybody below it; null where they cannot be seen. */
async function sightingOf(sight: Sight, { pid, pidStart }: HolderCard): Promise<Sighting | null> {
  const root = { pid, start: pidStart }
  const keyboard = sight.keyboardOf(root)
  if (keyboard === null) return null
  return { processes: await sight.processesOf(root, keyboard.group), root: pid, group: keyboard.group }
}

/** By now a look may have found another one. */
function conversationOf(daemon: Daemon, id: Terminal['id']): ClosingView['conversation'] {
  const restore = daemon.registry.get(id)?.restore
  if (restore?.kind !== 'conversation') return null
  return { agent: agentNamed(daemon.config.agents, restore.agent)?.label ?? restore.agent, id: restore.id }
}

function worktreeView({ name, worktree, verdict }: NonNullable<Awaited<ReturnType<typeof worktreeOf>>>): ClosingView['worktree'] {
  const { path, branch } = worktree
  return { name, path, branch, isRemovable: verdict === null, kind: verdict?.kind ?? null, why: verdict?.why ?? null }
}
