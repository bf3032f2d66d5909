import { done, type Result } from '../../base/refusal.ts'
import { print } from '../core/answers.ts'
import { EXIT } from '../core/exit.ts'
import type { Cli, Verb } from '../core/verb.ts'
import type { Manager } from '../daemon/manager.ts'
import { lingerText, managerHere, removeService, type Status, startOf, statusOf, textIn, writeService } from '../daemon/service.ts'
import { stopDaemon } from '../daemon/stopDaemon.ts'

const install: Verb = {
  name: 'install',
  summary: 'Install the service and start it, now and at every login.',
  options: [{ flags: '--print', help: 'print what would be written, and stop' }],
  details: [
    'Stopping or restarting the service never ends the programs in your terminals.',
    'The daemon of the service replaces one that is already running; programs keep',
    'running. Install again after an upgrade that moves Node or Holdfast.',
  ],
  example: ['holdfast service install', 'holdfast service install --print'],
  run: async (cli, input) => {
    const found = await managerHere(cli)
    if (!found.ok) return found
    const manager = found.value
    const { file, system } = manager
    const start = startOf(cli)
    const text = manager.text(start)
    if (input.flag('print')) return await print(cli, { file, text }, () => text.trimEnd())
    const written = writeService(file, text)
    if (!written.ok) return written
    const { isChanged } = written.value
    if (!cli.isJson) cli.print(`${isChanged ? 'Written:' : 'Unchanged:'} ${file}`)
    const enabled = await enable(cli, manager, isChanged)
    if (!enabled.ok) return enabled
    const now = { ...(await statusOf(manager, start)), changed: isChanged }
    return await print(cli, now, () => `It starts at each login${now.running ? ', and runs now' : ''}.\n${lingerText(now, system)}`)
  },
}

/** Two daemons cannot share a home: a running daemon is stopped first, if the manager can start the new one. */
async function enable(cli: Cli, manager: Manager, isChanged: boolean): Promise<Result<null>> {
  const { trouble, running } = await manager.state()
  if (trouble === null && !running) {
    const stopped = await stopDaemon(cli, { all: false })
    if (!stopped.ok) return stopped
  }
  return await manager.enable({ isChanged })
}

const remove: Verb = {
  name: 'remove',
  summary: 'Remove the service; programs keep running.',
  example: ['holdfast service remove'],
  run: async (cli) => {
    const found = await managerHere(cli)
    if (!found.ok) return found
    const manager = found.value
    const { file } = manager
    const wasInstalled = textIn(file) !== null
    // A manager that does not answer runs nothing; the file is removed anyway.
    const disabled = wasInstalled ? await manager.disable() : done(null)
    const removed = removeService(file)
    if (!removed.ok) return removed
    if (wasInstalled) await manager.forget()
    if (cli.isJson) cli.printJson({ file, removed: wasInstalled, disabled: disabled.ok })
    else if (!wasInstalled) cli.print('The service is not installed.')
    else {
      cli.print(`Removed: ${file}\nPrograms keep running; the next command starts the daemon and reconnects them.`)
      if (!disabled.ok) cli.complain(`${disabled.refusal.message} A running daemon stays until you log out.`)
    }
    return done(EXIT.done)
  },
}

const status: Verb = {
  name: 'status',
  summary: 'Show whether the service is installed, running and current.',
  example: ['holdfast service status', 'holdfast service status --json | jq .stale'],
  run: async (cli) => {
    const found = await managerHere(cli)
    return found.ok ? await print(cli, await statusOf(found.value, startOf(cli)), statusText) : found
  },
}

const yes = (is: boolean): string => (is ? 'yes' : 'no')

function statusText(now: Status): string {
  const { system, file, installed, enabled, running, trouble, stale } = now
  if (!installed) return `not installed (${file})\n  holdfast service install   starts the daemon at login, with ${system}`
  return [
    `installed  ${file}`,
    ...(trouble === null
      ? [`enabled    ${yes(enabled)}`, `running    ${yes(running)}`]
      : [`trouble    ${system} does not answer: ${trouble}`]),
    `up to date ${stale === null ? 'yes' : `no: ${stale}; run holdfast service install again`}`,
    lingerText(now, system),
  ].join('\n')
}

export const verb: Verb = {
  name: 'service',
  summary: 'Start the daemon at login, with systemd or launchd.',
  details: ['Optional: any command starts the daemon.'],
  example: ['holdfast service install', 'holdfast service status', 'holdfast service remove'],
  verbs: [install, remove, status],
}
