/**
 * Verbs, one file per noun or group; each exports `Verb`s that `../verbs.ts` loads by name. A verb reads its input, asks the
 * daemon and prints the answer; it decides nothing else. Start reading with terminal.ts, which has the shortest ones.
 * This one is `holdfast` without a verb, which opens the workspace in a browser; every command loads it, so it loads little.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../../base/refusal.ts'
import { given, print } from '../core/answers.ts'
import type { ExitCode } from '../core/exit.ts'
import type { Cli, Verb } from '../core/verb.ts'

export const verb: Verb = {
  name: 'holdfast',
  summary: 'Start the daemon and open the workspace in a browser.',
  options: [{ flags: '--no-open', help: 'print the address without opening a browser' }],
  example: ['holdfast', 'holdfast new --name build -- make -j8', 'holdfast attach build'],
  run: async (cli, input) => {
    const opens = input.flag('open') && canOpen(cli)
    const login = await cli.ask('web.login', opens ? { file: { snap: await snapOfBrowser(cli) } } : {})
    if (!login.ok) return login
    const { url, file } = login.value.result
    const text = `Your workspace: ${url}\nThe link logs in one browser. Run holdfast again for a new link.`
    const printed = await printLink(cli, login.value.result, text)
    if (file !== undefined) await openBrowser(file, cli.env)
    return printed
  },
}

type Link = { readonly url: string; readonly trouble?: string | undefined }

export async function printLink(cli: Cli, { url, trouble }: Link, text: string): Promise<Result<ExitCode>> {
  const printed = await print(cli, { url, ...given({ trouble }) }, () => text)
  if (trouble !== undefined) cli.complain(`Warning: ${trouble}`)
  return printed
}

/** Only for a person who sees the browser: not in scripts, tests and continuous integration, and not over SSH. */
function canOpen({ env, stdout }: Cli): boolean {
  if (stdout.isTTY !== true || isSet(env['CI']) || isSet(env['VITEST']) || isSet(env['SSH_CONNECTION'])) return false
  return process.platform === 'darwin' || isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

const ASK_MS = 2_000

/** The snap of the user's browser, as `firefox` for firefox_firefox.desktop: it can read only its own folder. */
async function snapOfBrowser({ env }: Pick<Cli, 'env'>): Promise<string | null> {
  const snaps = join(env['HOME'] ?? '', 'snap')
  if (process.platform !== 'linux' || !existsSync(snaps)) return null
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')])
  const asked = await promisify(execFile)('xdg-settings', ['get', 'default-web-browser'], { timeout: ASK_MS, env: { ...env } }).catch(
    () => null,
  )
  const [, snap] = asked?.stdout.match(/^([a-z0-9-]+)_[\w-]+\.desktop\s*$/) ?? []
  return snap !== undefined && existsSync(join(snaps, snap, 'common')) ? snap : null
}

/** Opens a file that redirects to the login: every user of the machine can read arguments, so the link is never one. */
async function openBrowser(file: string, env: Cli['env']): Promise<void> {
  const { spawn } = await import('node:child_process')
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true, env: { ...env } })
  await new Promise<void>((resolve) => {
    child.on('spawn', resolve)
    child.on('error', () => resolve()) // no opener: the address is on the screen
  })
  child.unref()
}
