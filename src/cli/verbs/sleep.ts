import type { TerminalView } from '../../wire/view.ts'
import { forEach } from '../each.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'sleep',
  summary: 'End a terminal’s program after giving it time to settle. Its place, last screen and history stay.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast sleep api', 'holdfast sleep t3k t9q'],
  run: async (input, host) => {
    const slept: TerminalView[] = []
    const outcome = await forEach(input.operands, host, async (terminal) => {
      const answer = await host.ask('terminal.sleep', { terminal })
      if (answer.ok) slept.push(answer.value.result)
      return answer
    })
    if (input.flag('json')) host.printJson(slept)
    return outcome
  },
}
