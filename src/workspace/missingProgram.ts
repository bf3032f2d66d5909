/** Whether the program of a resume will be found again: a package runner's cache, or a copy in /tmp, may be gone by then. */
import { baseName, commandName, scriptOf } from '../agents/program.ts'
import type { MissingProgram } from './losses.ts'
import type { Argv } from './resume.ts'

export type Disk = {
  /** Absolute, or below the directory that the resume starts in. */
  readonly isThere: (path: string) => boolean
  /** PATH of the agent, and of the terminal's own program: a runner adds to the first what is gone with it. */
  readonly agentPath: string
  readonly terminalPath: string
  /** Directories for temporary files, each without a slash at its end. */
  readonly temporary: readonly string[]
}

export function missingProgram(
  { command, args, isWrapped }: Pick<Argv, 'command' | 'args' | 'isWrapped'>,
  disk: Disk,
): MissingProgram | null {
  const script = scriptOf([command, ...args])?.path
  const faults = [command, ...(script === undefined ? [] : [script])].map((word) => faultOf(word, disk, isWrapped === true))
  return faults.find((fault) => fault !== null) ?? null
}

function faultOf(word: string, disk: Disk, isWrapped: boolean): MissingProgram | null {
  const path = word.includes('/') ? word : foundIn(word, disk.agentPath, disk)
  // An agent that has moved is looked for by its name; what it ran in is not: another one of that name may do less.
  const isElsewhere = !(isWrapped && word.includes('/')) && foundIn(commandName(word), disk.terminalPath, disk) !== null
  if (isElsewhere) return null
  if (path === null || !disk.isThere(path)) return { path: path ?? baseName(word), why: 'removed' }
  return isTemporary(path, disk) ? { path, why: 'temporary' } : null
}

const foundIn = (name: string, path: string, { isThere }: Disk): string | null =>
  path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => `${folder.replace(/\/$/, '')}/${name}`)
    .find(isThere) ?? null

/** Caches of npx, uvx, pnpm dlx. */
const CACHES = /\/(?:_npx|uv\/archive-v\d+|pnpm\/dlx)\//

const isTemporary = (path: string, { temporary }: Disk): boolean =>
  CACHES.test(path) || temporary.some((folder) => path.startsWith(`${folder}/`))
