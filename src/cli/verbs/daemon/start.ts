import { done, type Result, refusals, refused } from '../../../base/refusal.ts'
import { EXIT, type ExitCode } from '../../exit.ts'
import type { Host } from '../../host.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'
import { statusText } from './status.ts'

export const start: Verb = {
  name: 'start',
  summary: 'Start the daemon, unless it runs already.',
  options: [{ flags: '--foreground', help: 'stay here until it ends, as a service manager wants it; Ctrl-C stops it' }, JSON_OPTION],
  example: ['holdfast daemon start', 'holdfast daemon start --foreground'],
  run: async (input, host) => {
    if (input.flag('foreground')) return await stay(host)
    const status = await host.ask('daemon.status', {})
    if (!status.ok) return status
    if (input.flag('json')) host.printJson(status.value.result)
    else host.print(statusText(status.value.result, Date.now()))
    return done(EXIT.done)
  },
}

async function stay(host: Host): Promise<Result<ExitCode>> {
  const running = await host.running()
  if (running.ok) return refused(refusals.daemonRunning(running.value.identity?.pid ?? 0))
  const { becomeDaemon } = await import('../../../client/launchDaemon.ts')
  return await becomeDaemon(host.paths)
}
