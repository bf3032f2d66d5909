import type { Closed } from '../../workspace/closed.ts'
import { leftOf } from '../../workspace/restore.ts'
import type { Asleep } from '../../workspace/terminal.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { putWorktreeBack } from '../places/removeWorktree.ts'
import { isTrustedRepository } from '../places/worktreePath.ts'
import { viewOf } from '../view.ts'

export const reopenTerminal: Handler<'terminal.reopen'> = async (daemon, params) => {
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
  await daemon.knowRepositories()
  return { ok: true, result: { ...viewOf(reopened.value, daemon), notes } }
}

/** Without its worktree it comes back all the same: it has a screen and a history to show. */
async function worktreeNotes(daemon: Daemon, { worktree }: Closed): Promise<readonly string[]> {
  if (worktree === null) return []
  const isTrusted = isTrustedRepository(worktree.root, daemon.config.repositories.trusted)
  const back = await putWorktreeBack(worktree, { umask: daemon.umask, isTrusted })
  if (!back.ok) return [`Its worktree ${worktree.path} could not be put back: ${back.refusal.message}`]
  return back.value ? [`Its worktree ${worktree.path} is there again.`] : []
}

/** Names and conversations belong to one terminal each; whoever has taken one meanwhile keeps it. */
function asItCanBe(daemon: Daemon, terminal: Asleep): { readonly record: Asleep; readonly said: readonly string[] } {
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
      ...(isTaken ? [`Another terminal is called “${name}” by now, so it has no name.`] : []),
      ...(ownerName === null ? [] : [`Its conversation has gone on in “${ownerName}”, so it begins with a shell.`]),
    ],
  }
}
