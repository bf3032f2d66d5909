import { changeEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'unpin',
  summary: 'Let a pinned terminal stand where it would without.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast unpin api', 'holdfast unpin t3k t9q'],
  run: (input, host) => changeEach(input, host, (terminal) => host.ask('terminal.pin', { terminal, pinned: false })),
}
