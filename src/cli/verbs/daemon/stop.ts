import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { stopDaemon } from '../../stopDaemon.ts'
import { asleepLine, type FellAsleep, stoppedText } from '../../stopProgress.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const stop: Verb = {
  name: 'stop',
  summary: 'Stop the daemon. Programs keep running, unless --all is given.',
  options: [{ flags: '--all', help: 'end the programs too, after giving them time to settle' }, JSON_OPTION],
  details: ['Of each program that is put to sleep a line is printed to stderr; those that could not be ended in time are named.'],
  example: ['holdfast daemon stop', 'holdfast daemon stop --all'],
  run: async (input, host) => {
    const all = input.flag('all')
    const isJson = input.flag('json')
    const terminals: FellAsleep[] = []
    const tell = (fallen: FellAsleep): void => {
      terminals.push(fallen)
      if (!isJson) host.complain(asleepLine(fallen))
    }
    const stopped = await stopDaemon(host, { all, tell })
    if (!stopped.ok) return stopped
    if (isJson) host.printJson(all ? { ...stopped.value, terminals } : stopped.value)
    else host.print(stoppedText(stopped.value, { all }))
    return done(EXIT.done)
  },
}
