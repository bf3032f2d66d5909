/** Suggests directories to a user who types one: completions, and those used before. A disk that does not answer yields none. */
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { listSome } from '../../client/regularFile.ts'
import { isRepository } from './findRepository.ts'
import { PATIENCE as patience } from './patience.ts'

export type Completion = { readonly directories: { path: string; isRepository: boolean }[]; readonly more: boolean }

/** Of a directory with more entries some are passed over, and it is said that there are more. */
const MOST_ENTRIES = 20_000

type Bounds = { readonly limit: number; readonly mostEntries?: number }

/** `~` is the home directory; what does not begin at the root begins there too. */
export function expandHome(path: string, home: string): string {
  if (path === '~' || path === '') return `${home}/`
  return resolve(home, path.startsWith('~/') ? path.slice(2) : path) + (path.endsWith('/') ? '/' : '')
}

export async function completeDirectory(typed: string, { home, ...bounds }: { readonly home: string } & Bounds): Promise<Completion> {
  const asked = await patience.ask(() => complete(expandHome(typed, home), bounds))
  return asked.kind === 'answer' ? asked.value : { directories: [], more: false }
}

async function complete(path: string, { limit, mostEntries = MOST_ENTRIES }: Bounds): Promise<Completion> {
  const [parent, begun] = path.endsWith('/') ? [path, ''] : [dirname(path), basename(path)]
  const { entries, isWhole } = await listSome(parent, mostEntries)
  const fitting = entries
    .filter(({ name }) => name.toLowerCase().startsWith(begun.toLowerCase()) && name.startsWith('.') === begun.startsWith('.'))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .sort((a, b) => Number(b.name.startsWith(begun)) - Number(a.name.startsWith(begun)) || (a.name < b.name ? -1 : 1))
  const directories: { path: string; isRepository: boolean }[] = []
  for (const entry of fitting) {
    const found = join(parent, entry.name)
    if (entry.isSymbolicLink() && !(await isDirectory(found))) continue
    if (directories.length === limit) return { directories, more: true }
    directories.push({ path: found, isRepository: await isRepository(found) })
  }
  return { directories, more: !isWhole }
}

export type Used = { readonly path: string; readonly at: number }

/** Without duplicates or missing directories, newest first. */
export async function recentDirectories(used: readonly Used[], limit: number): Promise<Used[]> {
  const newest = new Map<string, number>()
  for (const { path, at } of used) newest.set(path, Math.max(at, newest.get(path) ?? 0))
  const existing: Used[] = []
  for (const [path, at] of [...newest].sort((a, b) => b[1] - a[1])) {
    if (existing.length === limit) break
    const asked = await patience.ask(() => isDirectory(path))
    if (asked.kind === 'answer' && asked.value) existing.push({ path, at })
  }
  return existing
}

const isDirectory = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false
