import { done, refusals, refused } from '../../../base/refusal.ts'
import { NOT_RUNNING } from '../../../client/unixTransport.ts'
import type { Outcome } from '../../../wire/commands.ts'
import { EXIT } from '../../exit.ts'
import { ageText, mib } from '../../format.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const status: Verb = {
  name: 'status',
  summary: 'Say whether the daemon runs, and how it does. Never starts it.',
  options: [JSON_OPTION],
  example: ['holdfast daemon status', 'holdfast daemon status --json | jq .web.url'],
  run: async (input, host) => {
    const running = await host.running()
    if (!running.ok && running.refusal.message.includes(NOT_RUNNING)) return refused(refusals.daemonNotRunning())
    const answer = running.ok ? await running.value.request('daemon.status', {}) : running
    if (!answer.ok) return answer
    if (input.flag('json')) host.printJson(answer.value.result)
    else host.print(statusText(answer.value.result, Date.now()))
    return done(EXIT.done)
  },
}

export function statusText(status: Outcome<'daemon.status'>, now: number): string {
  const { live, asleep } = status.terminals
  const { taken, inexact } = status.snapshots
  return [
    `running   pid ${status.pid}, for ${ageText(now - status.startedAt)}, version ${status.version}`,
    `home      ${status.home}`,
    `page      ${status.web.url ?? `none (${status.web.trouble ?? 'switched off'})`}`,
    `terminals ${live} live, ${asleep} asleep`,
    `snapshots ${taken} taken, ${inexact === 0 ? 'all exact' : `${inexact} not exact`}`,
    `logs      ${mib(status.logs.bytes)} of ${mib(status.logs.limit)}`,
    ...droppedText(status.events?.dropped ?? {}),
    ...(status.web.url !== null && status.web.trouble !== null ? [`trouble   ${status.web.trouble}`] : []),
    ...status.troubles.map((trouble) => `trouble   ${trouble}`),
  ].join('\n')
}

/** Spinning titles drop some every second: only a flood is worth a line. */
const MANY_DROPPED = 10_000

function droppedText(dropped: Readonly<Record<string, number>>): readonly string[] {
  const many = Object.entries(dropped).filter(([, count]) => count >= MANY_DROPPED)
  return many.length === 0 ? [] : [`events    dropped: ${many.map(([kind, count]) => `${count} ${kind}`).join(', ')}`]
}
