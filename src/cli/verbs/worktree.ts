import type { Verb } from '../verb.ts'
import { list } from './worktree/list.ts'
import { create } from './worktree/new.ts'

export const verb: Verb = {
  name: 'worktree',
  summary: 'List the worktrees of a git repository, or make one beside it.',
  example: ['holdfast worktree list', 'holdfast worktree new fix/login', 'holdfast new --worktree fix/login -- claude'],
  verbs: [list, create],
}
