/** Files: the state directory (where it is, its permissions, its room) and config.toml. */
import { accessSync, constants, existsSync, lstatSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { mib } from '../../base/format.ts'
import { bytesOfRuns } from '../../client/runSizes.ts'
import { type Paths, runSocket, SOCKET_PATH_LIMIT } from '../../wire/paths.ts'
import { loadConfig, problemText } from '../core/loadConfig.ts'
import { bad, type Finding, ok, warn } from './check.ts'

const MIB = 1 << 20
/** Below this, a flood of output could soon fill the disk. */
const LITTLE_BYTES = 1024 * MIB
/** Below this, the log of one run does not fit. */
const TOO_LITTLE_BYTES = 64 * MIB

export function checkState(paths: Paths): readonly Finding[] {
  return [
    ...checkDirectory('state directory', paths.home),
    ...checkDirectory('sockets', paths.sockets),
    ...checkSocketPath(paths),
    ...checkDisk(paths.home),
    ok('logs', `${mib(bytesOfRuns(paths))} in ${paths.runs}`),
  ]
}

export function checkDirectory(name: string, path: string): readonly Finding[] {
  if (!existsSync(path)) return checkParent(name, path)
  const found = lstatSync(path)
  const { mode, uid } = found
  if (!found.isDirectory()) return [bad(name, `${path} is not a directory`, 'Move it away, or set HOLDFAST_HOME to another directory.')]
  if (uid !== (process.getuid?.() ?? uid))
    return [bad(name, `${path} belongs to another user`, 'Set HOLDFAST_HOME to a directory of your own.')]
  const permissions = (mode & 0o777).toString(8)
  if ((mode & 0o077) !== 0) return [bad(name, `${path} is accessible to other users (${permissions})`, `chmod 700 ${path}`)]
  if (!isWritable(path))
    return [bad(name, `${path} is not writable`, `Make it writable: chmod 700 ${path}, and check that the disk is not mounted read-only.`)]
  return [ok(name, `${path} (${permissions})`)]
}

function checkParent(name: string, path: string): readonly Finding[] {
  let parent = dirname(path)
  while (!existsSync(parent)) parent = dirname(parent)
  if (isWritable(parent)) return [ok(name, `${path} (created at the first start)`)]
  return [bad(name, `${path} does not exist, and ${parent} is not writable`, 'Set HOLDFAST_HOME to a directory of your own.')]
}

function checkSocketPath(paths: Paths): readonly Finding[] {
  const longest = runSocket(paths, 'r0000000000' as Parameters<typeof runSocket>[1])
  if (longest.length <= SOCKET_PATH_LIMIT) return []
  return [bad('socket path', `${longest} is longer than ${SOCKET_PATH_LIMIT} bytes`, 'Set HOLDFAST_HOME to a shorter path.')]
}

function checkDisk(home: string): readonly Finding[] {
  let path = home
  while (!existsSync(path)) path = dirname(path)
  const { bavail, bsize } = statfsSync(path)
  const free = bavail * bsize
  const detail = `${Math.floor(free / MIB)} MiB free`
  if (free < TOO_LITTLE_BYTES) return [bad('disk', detail, 'Free some space. Until then, new output is kept only in memory.')]
  if (free < LITTLE_BYTES) return [warn('disk', detail, 'Free some space soon.')]
  return [ok('disk', detail)]
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One finding for each problem of the file. */
export async function checkConfig(paths: Paths): Promise<readonly Finding[]> {
  const { exists, problems } = await loadConfig(paths.config)
  if (problems.length > 0)
    return problems.map((problem) =>
      bad('config', problemText(paths.config, problem), 'Correct the line. Until then, the last valid values are used.'),
    )
  return [ok('config', exists ? paths.config : 'none; the defaults are used')]
}
