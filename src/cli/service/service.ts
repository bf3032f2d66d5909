/** Installs, removes and describes the service that starts the daemon at login. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Host } from '../host.ts'
import { findManager, type Manager, type Run, type State } from './manager.ts'
import { type Start, startsTheSame } from './texts.ts'

/** A user manager answers at once; one that is wedged is not waited for. */
const ANSWERS_WITHIN_MS = 20_000

const run: Run = (tool, ...args) =>
  new Promise((settle) => {
    execFile(tool, [...args], { timeout: ANSWERS_WITHIN_MS }, (error, out, said) => {
      if (error !== null && error.code === 'ENOENT') return settle(null)
      settle({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, error: said })
    })
  })

export async function managerHere(host: Host): Promise<Result<Manager>> {
  const { username: name, uid: id } = userInfo()
  return await findManager({ platform: process.platform, env: host.env, user: { name, id }, run })
}

/** As this very program is run now. */
export function startOf(host: Host): Start {
  const program = resolve(process.argv[1] ?? '')
  const home = host.env['HOLDFAST_HOME'] === undefined || host.env['HOLDFAST_HOME'] === '' ? null : host.paths.home
  return { node: process.execPath, program, home, path: host.env['PATH'] ?? '/usr/bin:/bin', errorLog: `${host.paths.logs}/service.log` }
}

export type Status = State & {
  readonly system: Manager['system']
  readonly file: string
  readonly installed: boolean
  /** What it starts is not what is installed now; a sentence, or null. */
  readonly stale: string | null
}

export async function statusOf(manager: Manager, start: Start): Promise<Status> {
  const { system, file } = manager
  const text = textIn(file)
  const stale = text === null ? null : staleness(text, manager.text(start), start)
  return { system, file, installed: text !== null, stale, ...(await manager.state()) }
}

export function staleness(text: string, wanted: string, { node, program }: Pick<Start, 'node' | 'program'>): string | null {
  return startsTheSame(text, wanted) ? null : `it does not start ${node} ${program} as it would be installed now`
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

/** Lines about what becomes of the daemon without anybody logged in. */
export function lingerText({ lingering }: Pick<State, 'lingering'>, system: Manager['system']): string {
  if (system === 'launchd') return 'It starts when you log in to the desktop.'
  if (lingering === true) return 'Lingering is on: it starts with the machine, and a logout ends nothing.'
  const off = lingering === false ? 'Lingering is off:' : 'Whether lingering is on could not be found out; without it,'
  return `${off} it starts at your login, and your last logout may end it and your programs.
  loginctl enable-linger   starts it with the machine and lets everything run on`
}

const ANSWERED_WITHIN_MS = 5_000

/** Where a service of this very home is to run it, the daemon is started by that: otherwise it would end with this shell's login. */
export async function startByService(host: Host): Promise<void> {
  const found = await managerHere(host)
  const text = found.ok ? textIn(found.value.file) : null
  if (!found.ok || text === null || !startsTheSame(text, found.value.text(startOf(host)))) return
  const { trouble, enabled } = await found.value.state()
  if (trouble !== null || !enabled || !(await found.value.enable({ isChanged: false })).ok) return
  const deadline = Date.now() + ANSWERED_WITHIN_MS
  while (Date.now() < deadline && !(await host.running()).ok) await new Promise((resolve) => setTimeout(resolve, 50))
}
