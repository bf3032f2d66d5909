import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { startByService } from '../../service/service.ts'
import { stopDaemon } from '../../stopDaemon.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'
import { statusText } from './status.ts'

export const restart: Verb = {
  name: 'restart',
  summary: 'Stop the daemon and start the installed version. Programs keep running.',
  options: [JSON_OPTION],
  example: ['holdfast daemon restart'],
  run: async (input, host) => {
    const stopped = await stopDaemon(host, { all: false })
    if (!stopped.ok) return stopped
    await startByService(host)
    const status = await host.ask('daemon.status', {})
    if (!status.ok) return status
    if (input.flag('json')) host.printJson(status.value.result)
    else host.print(statusText(status.value.result, Date.now()))
    return done(EXIT.done)
  },
}
