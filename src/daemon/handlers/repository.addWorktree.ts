import type { Handler } from '../connection.ts'
import { addWorktree as add } from '../places/addWorktree.ts'
import { isTrustedRepository } from '../places/worktreePath.ts'

export const addWorktree: Handler<'repository.addWorktree'> = async (daemon, order) => {
  const isTrusted = (root: string): boolean => isTrustedRepository(root, daemon.config.repositories.trusted)
  const made = await add({ ...order, umask: daemon.umask, isTrusted })
  return made.ok ? { ok: true, result: made.value } : made
}
