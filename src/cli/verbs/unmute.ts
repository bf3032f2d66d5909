import { changeEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'unmute',
  summary: 'Notify of a terminal again.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast unmute api', 'holdfast unmute t3k t9q'],
  run: (input, host) => changeEach(input, host, (terminal) => host.ask('terminal.mute', { terminal, muted: false })),
}
