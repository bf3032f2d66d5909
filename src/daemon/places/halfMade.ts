/** What there is in a worktree that git was interrupted in. */
import { execFile } from 'node:child_process'
import { opendir, readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { askGit } from './git.ts'
import type { Worktree } from './worktrees.ts'

const MOST_FILES = 1_000_000

/** Whether every file in it has a path that its branch has too; git writes its own list of them only at the end. */
export async function hasOnlyWhatGitPut({ path, branch }: Worktree, cwd: string): Promise<boolean> {
  const files = await filesBelow(path)
  if (files === null) return false
  if (files.length === 0) return true
  if (branch === null) return false
  const listed = await askGit(['ls-tree', '-r', '-z', '--name-only', `refs/heads/${branch}`], { cwd })
  if (!listed.ok || listed.value.code !== 0) return false
  const known = new Set(listed.value.output.split('\0'))
  return files.every((file) => known.has(file))
}

/** Null where it cannot be looked at as a whole; none where it is not there. */
async function filesBelow(path: string): Promise<readonly string[] | null> {
  try {
    const files: string[] = []
    for await (const entry of await opendir(path, { recursive: true })) {
      if (entry.isDirectory()) continue
      files.push(relative(path, join(entry.parentPath ?? entry.path, entry.name)))
      if (files.length > MOST_FILES) return null
    }
    return files.filter((file) => file !== '.git')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null
  }
}

/** Whether a running git is making a worktree of this name: then one that looks half-made may be about to be whole. */
export async function isWorktreeBeingMade(path: string): Promise<boolean> {
  const commands = process.platform === 'linux' ? await linuxCommands() : await psCommands()
  // The path may be written relative to any directory, but it ends alike.
  return commands.some((command) => /(^|\/)git\s(.*\s)?worktree\sadd\s/.test(command) && command.includes(basename(path)))
}

async function linuxCommands(): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (pid: string): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // it has ended
  return (await Promise.all(pids.map(read))).map((text) => text.replaceAll('\0', ' '))
}

const psCommands = (): Promise<readonly string[]> =>
  new Promise((resolve) => execFile('ps', ['-axo', 'args='], { maxBuffer: 16 << 20 }, (_error, output) => resolve(output.split('\n'))))
