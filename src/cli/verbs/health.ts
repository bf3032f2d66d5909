import { done, type Result } from '../../base/refusal.ts'
import type { HealthView } from '../../wire/healthView.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { healthText } from '../healthText.ts'
import type { Host } from '../host.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'health',
  summary: 'Say how the daemon’s parts and the programs’ holders do.',
  options: [
    { flags: '-w, --watch', help: 'go on: show every change until Ctrl-C, also through a restart of the daemon' },
    { flags: '--check', help: 'look at everything now; what had failed gets another chance' },
    JSON_OPTION,
  ],
  details: [
    'What is not well comes first, with its reason. A holder that does not answer says what it knows of its program.',
    'It exits with 0 when all is well or usable (degraded), and with 1 when something cannot be used (ill).',
    'With --watch, --json prints one line for how it is and one for each change after that; times alone are no change.',
  ],
  example: ['holdfast health', 'holdfast health --check || echo ill', 'holdfast health --watch', 'holdfast health --json | jq .overall'],
  run: async (input, host) => {
    const isJson = input.flag('json')
    const answer = await host.ask('health.show', input.flag('check') ? { check: true } : {})
    if (!answer.ok) return answer
    if (input.flag('watch')) return await watch(host, isJson)
    const health = answer.value.result
    if (isJson) host.printJson(health)
    else host.print(await healthText(health, host))
    return done(exitCodeOf(health))
  },
}

const exitCodeOf = ({ overall }: HealthView): ExitCode => (overall === 'ill' ? EXIT.refused : EXIT.done)

async function watch(host: Host, isJson: boolean): Promise<Result<ExitCode>> {
  const { watchDaemon } = await import('../watch/watchDaemon.ts')
  return await watchDaemon(host, {
    ...{ who: 'health', isJson },
    text: async ({ health }) => (health === null ? '' : await healthText(health, host)),
    all: ({ health }) => health ?? null,
    event: (event) => (event.kind === 'health' ? event.health : null),
  })
}
