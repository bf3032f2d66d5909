/**
 * Which git repository a directory is in, by what git itself looks at: the nearest `.git` above, and its HEAD. Read from
 * files alone, since it is asked for every terminal; nothing in them is believed that could not be so.
 */
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { readBeginning } from '../../client/regularFile.ts'
import type { RepositoryView } from '../../wire/view.ts'
import { PATIENCE } from './patience.ts'

export type Repository = {
  readonly view: RepositoryView
  /** Where its HEAD is; a worktree has one of its own. */
  readonly gitDirectory: string
  /** The directory that is checked out here: of a worktree its own. */
  readonly top: string
}

const DEEPEST = 64
/** Enough for the longest path; none of these files is longer if git wrote it. */
const LONGEST_BYTES = 8_192

/** Null outside of any repository, and where nothing can be read. */
export async function findRepository(directory: string): Promise<Repository | null> {
  let top = await realpath(directory).catch(() => null)
  for (let depth = 0; top !== null && depth < DEEPEST; depth += 1) {
    const gitDirectory = await gitDirectoryAt(top)
    const head = gitDirectory === null ? null : await readShort(`${gitDirectory}/HEAD`)
    if (gitDirectory !== null && head !== null) return await foundAt(top, gitDirectory, head)
    top = top === dirname(top) ? null : dirname(top)
  }
  return null
}

/** Whether this directory is the top of a repository. */
export const isRepository = async (directory: string): Promise<boolean> => (await kindOf(`${directory}/.git`)) !== null

async function gitDirectoryAt(directory: string): Promise<string | null> {
  const path = `${directory}/.git`
  const kind = await kindOf(path)
  if (kind !== 'file') return kind === null ? null : path
  const [, named] = (await readShort(path))?.match(/^gitdir: (.+)$/m) ?? []
  return named === undefined ? null : resolve(directory, named)
}

async function kindOf(path: string): Promise<'file' | 'directory' | null> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return null
  return found.isFile() ? 'file' : 'directory' // a link to a directory is as good as one
}

async function foundAt(top: string, gitDirectory: string, head: string): Promise<Repository> {
  const named = (await readShort(`${gitDirectory}/commondir`))?.trim()
  const common = named === undefined || named === '' ? null : await realpath(resolve(gitDirectory, named)).catch(() => null)
  const root = common === null ? top : rootOf(common)
  const worktree = common === null ? null : basename(gitDirectory)
  return { view: { root, name: nameOf(root), branch: branchIn(head), worktree }, gitDirectory, top }
}

/** Worktrees belong to the repository around the common directory, or to the common directory itself where that is bare. */
const rootOf = (common: string): string => (basename(common).startsWith('.') ? dirname(common) : common)

const nameOf = (root: string): string => basename(root).replace(/\.git$/, '') || root

/** Null where no branch is checked out, and for what cannot be the name of one. */
export function branchIn(head: string): string | null {
  const [, branch] = head.match(/^ref: refs\/heads\/([^\s]+)\s*$/) ?? []
  return branch === undefined || branch.startsWith('.') || /[\0-\x1f\x7f]/.test(branch) ? null : branch
}

const readShort = (path: string): Promise<string | null> => readBeginning(path, { mostBytes: LONGEST_BYTES })

/** Null also if the disk does not answer. */
export async function findPatiently(directory: string): Promise<Repository | null> {
  const asked = await PATIENCE.ask(() => findRepository(directory))
  return asked.kind === 'answer' ? asked.value : null
}
