import { z } from 'zod'
import { absolutePath, nothing, row } from './row.ts'

const repositorySchema = z.object({
  root: z.string(),
  name: z.string(),
  branch: z.string().nullable(),
  /** `isHalfMade`: git was interrupted while it made it; asking for it once more makes it again. */
  worktrees: z.array(z.object({ path: z.string(), branch: z.string().nullable(), isHalfMade: z.boolean() })),
  branches: z.array(z.string()),
  /** What a new worktree would be called if nothing else is said. */
  suggested: z.object({ branch: z.string(), path: z.string() }),
})
export type RepositoryShown = z.infer<typeof repositorySchema>

export const directoryCommands = {
  'directory.complete': row({
    help: 'List directories whose path has this prefix; ~ is the home directory.',
    changes: false,
    needs: 'everything',
    params: z.object({ path: z.string().max(4_096), limit: z.int().min(1).max(200) }),
    result: z.object({ directories: z.array(z.object({ path: z.string(), isRepository: z.boolean() })), more: z.boolean() }),
  }),
  'directory.recent': row({
    help: 'List recent directories of terminals, newest first.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(z.object({ path: z.string(), at: z.number() })),
  }),
  'repository.show': row({
    help: 'Show the git repository of a directory and its worktrees; null if there is none.',
    changes: false,
    needs: 'everything',
    params: z.object({ path: z.string().min(1).max(4_096) }),
    result: repositorySchema.nullable(),
  }),
  'repository.addWorktree': row({
    help: 'Create a worktree outside the repository, on a new or existing branch.',
    changes: true,
    needs: 'everything',
    params: z.object({
      repository: absolutePath,
      branch: z.string().min(1).max(200),
      /** Left out: as suggested for the branch. */
      path: absolutePath.optional(),
      /** From where a new branch begins; left out: from what is checked out. */
      base: z.string().min(1).max(200).optional(),
    }),
    result: z.object({ path: z.string(), branch: z.string(), isNewBranch: z.boolean() }),
  }),
} as const
