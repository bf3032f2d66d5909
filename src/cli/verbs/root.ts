/** `holdfast` alone: the workspace, one link away. */
import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import type { Host } from '../host.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'holdfast',
  summary: 'Terminals that outlive you. Without a verb: start the daemon and open the workspace.',
  options: [{ flags: '--no-open', help: 'only print the address' }, JSON_OPTION],
  example: ['holdfast', 'holdfast new --name build -- make -j8', 'holdfast attach build'],
  run: async (input, host) => {
    const login = await host.ask('web.login', {})
    if (!login.ok) return login
    const { url } = login.value.result
    if (input.flag('json')) host.printJson({ url })
    else host.print(`Your workspace: ${url}\nThe link logs one browser in. holdfast prints a new one whenever you need it.`)
    if (input.flag('open') && canOpen(host)) await openBrowser(url, host.env)
    return done(EXIT.done)
  },
}

/** Only for a person who sees the browser: not in scripts, tests and continuous integration, and not over SSH. */
function canOpen({ env, stdout }: Host): boolean {
  if (stdout.isTTY !== true || isSet(env['CI']) || isSet(env['VITEST']) || isSet(env['SSH_CONNECTION'])) return false
  return process.platform === 'darwin' || isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

async function openBrowser(url: string, env: Host['env']): Promise<void> {
  const { spawn } = await import('node:child_process')
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true, env: { ...env } })
  await new Promise<void>((resolve) => {
    child.on('spawn', resolve)
    child.on('error', () => resolve()) // no opener: the address is on the screen
  })
  child.unref()
}
