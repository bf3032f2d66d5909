/** Directories and git repositories: completed, remembered, shown, and given worktrees. */
import { homedir } from 'node:os'
import { addWorktree } from '../places/addWorktree.ts'
import { completeDirectory, expandHome, recentDirectories } from '../places/directories.ts'
import { showRepository } from '../places/showRepository.ts'
import { isTrustedRepository } from '../places/worktrees.ts'
import { directoryOf } from '../terminals/directoryOf.ts'
import type { Handlers, Of, Parts } from './world.ts'

const MOST_RECENT = 50

type World = Pick<Parts, 'registry' | 'checkpoints' | 'config' | 'umask'>

export const directoryHandlers: Handlers<Of<'directory' | 'repository'>, World> = {
  'directory.complete': async (_daemon, { path, limit }) => ({
    ok: true,
    result: await completeDirectory(path, { home: homedir(), limit }),
  }),

  'directory.recent': async (daemon) => {
    const used = daemon.registry.all().flatMap((terminal) => [
      { path: terminal.spec.cwd, at: terminal.created },
      { path: directoryOf(terminal, daemon), at: terminal.touched },
    ])
    return { ok: true, result: await recentDirectories(used, MOST_RECENT) }
  },

  'repository.show': async (_daemon, { path }) => {
    const shown = await showRepository(expandHome(path, homedir()), new Date())
    return shown.ok ? { ok: true, result: shown.value } : shown
  },

  'repository.addWorktree': async ({ config, umask }, order) => {
    const isTrusted = (root: string): boolean => isTrustedRepository(root, config.repositories.trusted)
    const made = await addWorktree({ ...order, umask, isTrusted })
    return made.ok ? { ok: true, result: made.value } : made
  },
}
