/** `holder.json`: how a daemon that knows nothing finds this holder again. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOLDER_PROTOCOL, type HolderCard, type HolderOrder, type HolderStatus } from '../wire/holder.ts'
import { holderCardPath } from '../wire/paths.ts'
import { trip } from './trip.ts'

export function cardOf(options: { order: HolderOrder; status: HolderStatus; holderStart: string }): HolderCard {
  const { order, status, holderStart } = options
  const { terminal, run, socketPath, command, args, cwd, size, journal, tmux } = order
  const { holderPid, pid, pidStart, startedAt } = status
  const version = installedVersion()
  return {
    speaks: HOLDER_PROTOCOL,
    version,
    terminal,
    run,
    holderPid,
    holderStart,
    pid,
    pidStart,
    socketPath,
    startedAt,
    command,
    cwd,
    size,
    ...(journal === false ? { journal, args: [], withheld: args.length } : { args }),
    ...(tmux === undefined ? {} : { tmux }),
  }
}

/** Whole or not at all, also after a power cut. */
export function writeCard(runDirectory: string, card: HolderCard): void {
  trip('holder:before-card')
  const path = holderCardPath(runDirectory)
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(card))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  for (const directory of [runDirectory, dirname(runDirectory)]) syncDirectory(directory)
  trip('holder:after-card')
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function installedVersion(): string {
  try {
    return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
  } catch {
    return 'unknown'
  }
}
