/** Decodes the daemon's order, and finds out before anything is started what would keep the program from starting. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type HolderOrder, isUsableSize } from '../wire/holder.ts'
import { SOCKET_PATH_LIMIT } from '../wire/paths.ts'

/** A segment must hold a few records; below this the log would be all headers. */
const SMALLEST_SEGMENT_BYTES = 4 << 10

/** The order, or what is wrong with it. */
export function decodeOrder(text: string): HolderOrder | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the order is not JSON'
  }
  if (typeof value !== 'object' || value === null) return 'the order is not an object'
  const order = value as HolderOrder
  for (const name of ['terminal', 'run', 'command', 'cwd', 'runDirectory', 'socketPath'] as const) {
    if (typeof order[name] !== 'string' || order[name] === '' || order[name].includes('\0')) return `the order has no usable ${name}`
  }
  if (!isTexts(order.args)) return 'the order has no usable args'
  if (typeof order.env !== 'object' || order.env === null || !isTexts(Object.values(order.env))) return 'the order has no usable env'
  if (typeof order.size !== 'object' || order.size === null || !isUsableSize(order.size)) return 'the order has no usable size'
  if (order.umask !== undefined && !(Number.isInteger(order.umask) && order.umask >= 0 && order.umask <= 0o777))
    return 'the order has no usable umask'
  if (!Number.isInteger(order.segmentBytes) || order.segmentBytes < SMALLEST_SEGMENT_BYTES) return 'the order has no usable segmentBytes'
  if (order.journal !== undefined && typeof order.journal !== 'boolean') return 'the order has no usable journal'
  if (order.tmux !== undefined && !isTmuxOrder(order.tmux)) return 'the order has no usable tmux'
  if (Buffer.byteLength(order.socketPath) > SOCKET_PATH_LIMIT) return `the path of the socket is too long: ${order.socketPath}`
  return order
}

/** The names are checked where they are used. */
function isTmuxOrder(value: unknown): boolean {
  const { kind, socket, session, pane, pid, config } = Object(value) as Record<string, unknown>
  if (typeof socket !== 'string' || Buffer.byteLength(socket) > SOCKET_PATH_LIMIT) return false
  if (kind === 'guest') return typeof pane === 'string' && Number.isInteger(pid)
  return typeof session === 'string' && (kind === 'found' || (kind === 'new' && typeof config === 'string'))
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'))

/** Why the program cannot be started, or null. */
export function obstacleOf({ command, cwd, env, socketPath }: Pick<HolderOrder, 'command' | 'cwd' | 'env' | 'socketPath'>): string | null {
  if (!existsSync(dirname(socketPath))) return `the directory ${dirname(socketPath)} does not exist`
  const obstacle = obstacleTo({ command, cwd, path: env['PATH'] ?? '/bin:/usr/bin' })
  switch (obstacle) {
    case null:
      return null
    case 'cwdMissing':
      return `the directory ${cwd} does not exist`
    case 'cwdNotDirectory':
      return `the directory ${cwd} may not be entered`
    case 'commandNotFound':
      return `the command ${command} was not found`
    case 'commandNotExecutable':
      return `${command} may not be executed`
  }
}

/** Whether a program could be started, found out without starting it: `exec` would only fail in the child, as text on the terminal. */

type Obstacle = 'cwdMissing' | 'cwdNotDirectory' | 'commandNotFound' | 'commandNotExecutable'

export function obstacleTo({ command, cwd, path }: { command: string; cwd: string; path: string }): Obstacle | null {
  const place = kindOf(cwd)
  if (place === 'missing') return 'cwdMissing'
  if (place !== 'directory' || !may(cwd, constants.X_OK)) return 'cwdNotDirectory'
  const candidates = command.includes('/') ? [resolve(cwd, command)] : path.split(':').map((folder) => resolve(cwd, folder, command))
  const found = candidates.filter((candidate) => kindOf(candidate) !== 'missing')
  if (found.length === 0) return 'commandNotFound'
  return found.some((candidate) => kindOf(candidate) === 'file' && may(candidate, constants.X_OK)) ? null : 'commandNotExecutable'
}

function kindOf(path: string): 'directory' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file'
  } catch {
    return 'missing'
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
