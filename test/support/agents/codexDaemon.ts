import { readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endProcesses } from '../processes.ts'
import { field } from './jsonPick.ts'

const FILES = ['daemon.pid', 'daemon-updater.pid']
const SOCKETS = ['app-server-daemon/daemon-updater.sock', 'app-server-control/app-server-control.sock']

/** Ends the background processes that codex leaves by default, and takes away their sockets, which lie outside of its HOME. */
export async function endCodexDaemon(home: string): Promise<void> {
  const pids = FILES.map((name) => pidIn(join(home, '.codex/app-server-daemon', name)))
  await endProcesses(home, { isMeant: ({ pid, command }) => pids.includes(pid) && command.includes('app-server') })
  for (const name of SOCKETS) removeTarget(join(home, '.codex', name))
}

function pidIn(path: string): number | null {
  try {
    const pid = field(JSON.parse(readFileSync(path, 'utf8')), 'pid')
    return typeof pid === 'number' ? pid : null
  } catch {
    return null // it never ran
  }
}

function removeTarget(link: string): void {
  try {
    const target = readlinkSync(link)
    for (const path of [target, `${target}.lock`]) rmSync(path, { force: true })
    rmdirSync(dirname(target)) // unless others are in there
  } catch {
    // there is none, or it is not the last one
  }
}
