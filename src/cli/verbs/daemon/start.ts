import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'
import { statusText } from './status.ts'

export const start: Verb = {
  name: 'start',
  summary: 'Start the daemon, unless it runs already.',
  options: [JSON_OPTION],
  example: ['holdfast daemon start'],
  run: async (input, host) => {
    const status = await host.ask('daemon.status', {})
    if (!status.ok) return status
    if (input.flag('json')) host.printJson(status.value.result)
    else host.print(statusText(status.value.result, Date.now()))
    return done(EXIT.done)
  },
}
