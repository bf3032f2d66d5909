/**
 * Opens the user's browser on a file that leads to the login. The link itself never stands among a process's arguments, where
 * every user of the machine could read it.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Host } from '../host.ts'

/** Only for a person who sees the browser: not in scripts, tests and continuous integration, and not over SSH. */
export function canOpen({ env, stdout }: Host): boolean {
  if (stdout.isTTY !== true || isSet(env['CI']) || isSet(env['VITEST']) || isSet(env['SSH_CONNECTION'])) return false
  return process.platform === 'darwin' || isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

const ASK_MS = 2_000

/** The snap that the user's browser lives in, as `firefox` for firefox_firefox.desktop: it can read nothing but its own folder. */
export async function snapOfBrowser({ env }: Pick<Host, 'env'>): Promise<string | null> {
  const snaps = join(env['HOME'] ?? '', 'snap')
  if (process.platform !== 'linux' || !existsSync(snaps)) return null
  const asked = await promisify(execFile)('xdg-settings', ['get', 'default-web-browser'], { timeout: ASK_MS, env: { ...env } }).catch(
    () => null,
  )
  const [, snap] = asked?.stdout.match(/^([a-z0-9-]+)_[\w-]+\.desktop\s*$/) ?? []
  return snap !== undefined && existsSync(join(snaps, snap, 'common')) ? snap : null
}

export async function openBrowser(file: string, env: Host['env']): Promise<void> {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true, env: { ...env } })
  await new Promise<void>((resolve) => {
    child.on('spawn', resolve)
    child.on('error', () => resolve()) // no opener: the address is on the screen
  })
  child.unref()
}
