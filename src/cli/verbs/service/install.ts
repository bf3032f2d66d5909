import { done, type Result, refused } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import type { Host } from '../../host.ts'
import type { Manager } from '../../service/manager.ts'
import { lingerText, managerHere, startOf, statusOf, writeService } from '../../service/service.ts'
import { stopDaemon } from '../../stopDaemon.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const install: Verb = {
  name: 'install',
  summary: 'Write the service, and start it now and at each login. May be repeated.',
  options: [{ flags: '--print', help: 'only show what would be written' }, JSON_OPTION],
  details: [
    'Stopping or restarting the service never ends the programs in your terminals. A daemon that runs already makes room for',
    'the one of the service; programs run on meanwhile. After an upgrade that moves Node or Holdfast, install it again.',
  ],
  example: ['holdfast service install', 'holdfast service install --print'],
  run: async (input, host) => {
    const found = await managerHere(host)
    if (!found.ok) return found
    const manager = found.value
    const start = startOf(host)
    const text = manager.text(start)
    if (input.flag('print')) {
      if (input.flag('json')) host.printJson({ file: manager.file, text })
      else host.print(text.trimEnd())
      return done(EXIT.done)
    }
    const written = writeService(manager.file, text)
    if (!written.ok) return written
    const { isChanged } = written.value
    if (!input.flag('json')) host.print(`${isChanged ? 'Written:' : 'Unchanged:'} ${manager.file}`)
    const enabled = await enable(host, manager, isChanged)
    if (!enabled.ok) return refused(enabled.refusal)
    const status = await statusOf(manager, start)
    if (input.flag('json')) host.printJson({ ...status, changed: isChanged })
    else host.print(`It starts at each login${status.running ? ', and runs now' : ''}.\n${lingerText(status, manager.system)}`)
    return done(EXIT.done)
  },
}

/** Two daemons cannot have one home: one that was started otherwise goes first, where the manager can start another. */
async function enable(host: Host, manager: Manager, isChanged: boolean): Promise<Result<null>> {
  const { trouble, running } = await manager.state()
  if (trouble === null && !running) {
    const stopped = await stopDaemon(host, { all: false })
    if (!stopped.ok) return stopped
  }
  return await manager.enable({ isChanged })
}
