/** The disk space of runs: their logs and the files beside them. */
import { readdirSync, statSync } from 'node:fs'
import type { Paths } from '../wire/paths.ts'

export type FileSize = { readonly name: string; readonly bytes: number }

/** Empty for a missing directory. A file that disappears meanwhile counts as nothing. */
export function filesOf(directory: string): FileSize[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      const found = statSync(`${directory}/${name}`, { throwIfNoEntry: false })
      return found?.isFile() ? [{ name, bytes: found.size }] : []
    })
  } catch {
    return []
  }
}

export const sumOf = (files: readonly FileSize[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

export function bytesOfRuns(paths: Pick<Paths, 'runs'>, counts: (run: string) => boolean = () => true): number {
  try {
    const runs = readdirSync(paths.runs).filter(counts)
    return runs.reduce((sum, run) => sum + sumOf(filesOf(`${paths.runs}/${run}`)), 0)
  } catch {
    return 0 // nothing has ever run here
  }
}
