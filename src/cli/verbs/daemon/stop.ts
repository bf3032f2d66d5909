import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { stopDaemon } from '../../stopDaemon.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const stop: Verb = {
  name: 'stop',
  summary: 'Stop the daemon. Programs keep running, unless --all is given.',
  options: [{ flags: '--all', help: 'end the programs too, after giving them time to settle' }, JSON_OPTION],
  example: ['holdfast daemon stop', 'holdfast daemon stop --all'],
  run: async (input, host) => {
    const stopped = await stopDaemon(host, { all: input.flag('all') })
    if (!stopped.ok) return stopped
    const { wasRunning, ended } = stopped.value
    if (input.flag('json')) host.printJson(stopped.value)
    else if (!wasRunning) host.print('The daemon is not running.')
    else
      host.print(input.flag('all') ? `Stopped, with ${ended} ${ended === 1 ? 'program' : 'programs'}.` : 'Stopped. Programs keep running.')
    return done(EXIT.done)
  },
}
