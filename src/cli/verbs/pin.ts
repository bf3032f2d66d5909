import { changeEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'pin',
  summary: 'Keep a terminal at the top of lists.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast pin api', 'holdfast pin t3k t9q'],
  run: (input, host) => changeEach(input, host, (terminal) => host.ask('terminal.pin', { terminal, pinned: true })),
}
