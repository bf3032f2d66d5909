import { changeEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'mute',
  summary: 'Notify of a terminal no longer; what is new in it is still marked.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast mute api', 'holdfast mute t3k t9q'],
  run: (input, host) => changeEach(input, host, (terminal) => host.ask('terminal.mute', { terminal, muted: true })),
}
