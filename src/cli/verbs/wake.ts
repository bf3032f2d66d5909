import type { TerminalView } from '../../wire/view.ts'
import { forEach } from '../each.ts'
import { inheritedEnv } from '../inheritedEnv.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'wake',
  summary: 'Start the program of an asleep terminal again, in its place.',
  operands: '<id...>',
  completes: 'terminals',
  options: [JSON_OPTION],
  example: ['holdfast wake api'],
  run: async (input, host) => {
    const woken: TerminalView[] = []
    const outcome = await forEach(input.operands, host, async (terminal) => {
      const answer = await host.ask('terminal.wake', { terminal, inherited: inheritedEnv(host.env) })
      if (answer.ok) woken.push(answer.value.result)
      return answer
    })
    if (input.flag('json')) host.printJson(woken)
    return outcome
  },
}
