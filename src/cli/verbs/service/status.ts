import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { lingerText, managerHere, type Status, startOf, statusOf } from '../../service/service.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const status: Verb = {
  name: 'status',
  summary: 'Say whether the service is installed, starts at login, runs, and is up to date.',
  options: [JSON_OPTION],
  example: ['holdfast service status', 'holdfast service status --json | jq .stale'],
  run: async (input, host) => {
    const found = await managerHere(host)
    if (!found.ok) return found
    const now = await statusOf(found.value, startOf(host))
    if (input.flag('json')) host.printJson(now)
    else host.print(statusText(now))
    return done(EXIT.done)
  },
}

const yes = (is: boolean): string => (is ? 'yes' : 'no')

export function statusText(status: Status): string {
  const { system, file, installed, enabled, running, trouble, stale } = status
  if (!installed) return `not installed (${file})\n  holdfast service install   starts the daemon at login, by ${system}`
  return [
    `installed  ${file}`,
    ...(trouble === null
      ? [`enabled    ${yes(enabled)}`, `running    ${yes(running)}`]
      : [`trouble    ${system} does not answer: ${trouble}`]),
    `up to date ${stale === null ? 'yes' : `no: ${stale}; holdfast service install renews it`}`,
    lingerText(status, system),
  ].join('\n')
}
