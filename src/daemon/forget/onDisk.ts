/** What lies in the state directory of terminals and runs, outside of the databases. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isId, type RunId, type TerminalId } from '../../base/ids.ts'
import { readCard } from '../../client/holderCards.ts'
import { filesOf, sumOf } from '../../client/runSizes.ts'
import { removeDatabase, syncDirectory } from '../../store/files.ts'
import type { ForgetOrder } from '../../store/forgetOrder.ts'
import { asidesOf } from '../../store/salvage/moveAside.ts'
import type { HolderCard } from '../../wire/holder.ts'
import type { Paths } from '../../wire/paths.ts'
import { isHolderAlive } from '../backends/holders.ts'
import { readRunEnd } from '../history/runLog.ts'

export type RunOnDisk = {
  readonly run: RunId
  readonly path: string
  /** Null where its card cannot be read. */
  readonly terminal: TerminalId | null
  readonly isAlive: boolean
  readonly endedAt: number
  readonly bytes: number
}

/** Every directory of a run, also those that were set aside under another name. */
export function runsOnDisk({ runs }: Paths): readonly RunOnDisk[] {
  const names = existsSync(runs) ? readdirSync(runs) : []
  return names.flatMap((name) => {
    const [run = ''] = name.split('.')
    return isId('run', run) ? [runOnDisk(run, join(runs, name))] : []
  })
}

function runOnDisk(run: RunId, path: string): RunOnDisk {
  const card = cardIn(path)
  const files = filesOf(path)
  const times = files.map(({ name }) => statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return {
    ...{ run, path, terminal: card?.terminal ?? null, bytes: sumOf(files) },
    isAlive: card !== null && isHolderAlive(card),
    endedAt: readRunEnd({ directory: path, run })?.at ?? Math.max(0, ...times),
  }
}

function cardIn(path: string): HolderCard | null {
  try {
    return readCard(path)
  } catch {
    return null // its holder never began, or it is being removed
  }
}

/** Terminals onto which files were dropped, and those files. */
export function droppedOnDisk({ files }: Paths): readonly { readonly terminal: string; readonly count: number; readonly bytes: number }[] {
  const names = existsSync(files) ? readdirSync(files) : []
  return names.map((terminal) => {
    const dropped = filesOf(join(files, terminal))
    return { terminal, count: dropped.length, bytes: sumOf(dropped) }
  })
}

/** Records that could not be decoded are set aside under the id of their terminal. */
const recordsAside = ({ home }: Paths, terminals: readonly string[]): readonly string[] =>
  readdirSync(home).flatMap((name) =>
    name.startsWith('undecodable-') && terminals.some((id) => name.includes(id)) ? [join(home, name)] : [],
  )

export const copiesOnDisk = (paths: Paths): readonly string[] => asidesOf(paths.database)

/** Missing files are no error: a crash may have interrupted an earlier try. */
export function removeFromDisk(paths: Paths, { terminals, runs }: Pick<ForgetOrder, 'terminals' | 'runs'>): void {
  const isGone = ({ run, terminal }: RunOnDisk): boolean => runs.includes(run) || (terminal !== null && terminals.includes(terminal))
  for (const { path } of runsOnDisk(paths).filter(isGone)) rmSync(path, { recursive: true, force: true })
  for (const id of terminals) rmSync(join(paths.files, id), { recursive: true, force: true })
  for (const path of recordsAside(paths, terminals)) rmSync(path, { force: true })
  for (const path of copiesOnDisk(paths)) removeDatabase(path)
  for (const directory of [paths.home, paths.runs]) syncDirectory(directory)
}
