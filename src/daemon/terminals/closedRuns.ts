/** The directories of a closed terminal's runs: renamed, so that nobody takes them for runs, until it comes back or is gone for good. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { readCard } from '../../client/holderCards.ts'
import { CLOSED_SUFFIX, type Paths, REMOVED_SUFFIX } from '../../wire/paths.ts'

export function setRunsAside(paths: Paths, terminal: string): void {
  for (const { path, isAside } of directoriesOf(paths, terminal)) if (!isAside) renameSync(path, path + CLOSED_SUFFIX)
}

export function bringRunsBack(paths: Paths, terminal: string): void {
  for (const { path, isAside } of directoriesOf(paths, terminal)) {
    const former = path.slice(0, -CLOSED_SUFFIX.length)
    if (isAside && !existsSync(former)) renameSync(path, former)
  }
}

export function removeRuns(paths: Paths, terminal: string): void {
  for (const { path } of directoriesOf(paths, terminal)) rmSync(path, { recursive: true, force: true })
}

/** One whose card cannot be read belongs to nobody. */
function directoriesOf({ runs }: Paths, terminal: string): readonly { readonly path: string; readonly isAside: boolean }[] {
  const names = existsSync(runs) ? readdirSync(runs).filter((name) => !name.endsWith(REMOVED_SUFFIX)) : []
  return names.flatMap((name) => {
    const path = `${runs}/${name}`
    return ownerOf(path) === terminal ? [{ path, isAside: name.endsWith(CLOSED_SUFFIX) }] : []
  })
}

/** Empty where nothing says so. */
export function ownerOf(directory: string): string {
  try {
    return readCard(directory).terminal
  } catch {
    return '' // it is being removed, or its holder never began
  }
}
