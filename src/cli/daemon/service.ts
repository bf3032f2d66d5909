/** Installs, removes and describes the service that starts the daemon at login. */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Cli } from '../core/verb.ts'
import { findManager, type Manager, type Run, type State } from './manager.ts'
import { type Start, startsTheSame } from './serviceText.ts'

/** A user manager answers at once, unless it hangs. */
const ANSWERS_WITHIN_MS = 20_000

const run: Run = (tool, ...args) =>
  new Promise((settle) => {
    execFile(tool, [...args], { timeout: ANSWERS_WITHIN_MS }, (error, out, said) => {
      if (error !== null && error.code === 'ENOENT') return settle(null)
      settle({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, error: said })
    })
  })

export async function managerHere(cli: Cli): Promise<Result<Manager>> {
  const { username: name, uid: id } = userInfo()
  return await findManager({ platform: process.platform, env: cli.env, user: { name, id }, run })
}

/** How this command itself was started. */
export function startOf(cli: Cli): Start {
  const program = resolve(process.argv[1] ?? '')
  const home = cli.env['HOLDFAST_HOME'] === undefined || cli.env['HOLDFAST_HOME'] === '' ? null : cli.paths.home
  return { node: process.execPath, program, home, path: cli.env['PATH'] ?? '/usr/bin:/bin', errorLog: `${cli.paths.logs}/service.log` }
}

export type Status = State & {
  readonly system: Manager['system']
  readonly file: string
  readonly installed: boolean
  /** Why the installed file is out of date, or null. */
  readonly stale: string | null
}

export async function statusOf(manager: Manager, start: Start): Promise<Status> {
  const { system, file } = manager
  const text = textIn(file)
  const stale = text === null ? null : staleness(text, manager.text(start), start)
  return { system, file, installed: text !== null, stale, ...(await manager.state()) }
}

function staleness(text: string, wanted: string, { node, program }: Pick<Start, 'node' | 'program'>): string | null {
  return startsTheSame(text, wanted) ? null : `it does not start ${node} ${program}`
}

export function textIn(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Returns whether the file had to be changed. */
export function writeService(file: string, text: string): Result<{ readonly isChanged: boolean }> {
  try {
    if (textIn(file) === text) return done({ isChanged: false })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text, { mode: 0o644 })
    renameSync(`${file}.new`, file)
    return done({ isChanged: true })
  } catch (error) {
    return refused(refusals.serviceNotWritten(file, systemReason(error)))
  }
}

export function removeService(file: string): Result<null> {
  try {
    rmSync(file, { force: true })
    return done(null)
  } catch (error) {
    return refused(refusals.serviceNotWritten(file, systemReason(error)))
  }
}

/** Whether the daemon survives a logout. */
export function lingerText({ lingering }: Pick<State, 'lingering'>, system: Manager['system']): string {
  if (system === 'launchd') return 'It starts when you log in to the desktop.'
  if (lingering === true) return 'Lingering is on: it starts with the machine, and survives your logout.'
  const off = lingering === false ? 'Lingering is off:' : 'The state of lingering is unknown; if it is off,'
  return `${off} it starts at your login, and your last logout may end it and your programs.
  loginctl enable-linger   starts it with the machine and keeps everything running`
}

const ANSWERED_WITHIN_MS = 5_000

/** Starts the daemon through its service, if one is enabled for this home: else it could end with this login session. */
export async function startByService(cli: Cli): Promise<void> {
  const found = await managerHere(cli)
  const text = found.ok ? textIn(found.value.file) : null
  if (!found.ok || text === null || !startsTheSame(text, found.value.text(startOf(cli)))) return
  const { trouble, enabled } = await found.value.state()
  if (trouble !== null || !enabled || !(await found.value.enable({ isChanged: false })).ok) return
  const deadline = Date.now() + ANSWERED_WITHIN_MS
  while (Date.now() < deadline && !(await cli.running()).ok) await new Promise((resolve) => setTimeout(resolve, 50))
}
