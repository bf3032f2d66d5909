import type { Handler } from '../connection.ts'
import { addWorktree as add } from '../places/addWorktree.ts'

export const addWorktree: Handler<'repository.addWorktree'> = async (daemon, order) => {
  const made = await add({ ...order, umask: daemon.umask })
  return made.ok ? { ok: true, result: made.value } : made
}
