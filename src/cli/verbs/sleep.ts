import { changeEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'sleep',
  summary: 'End a terminal’s program after giving it time to settle. Its place, last screen and history stay.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast sleep api', 'holdfast sleep t3k t9q'],
  run: (input, host) => changeEach(input, host, (terminal) => host.ask('terminal.sleep', { terminal })),
}
