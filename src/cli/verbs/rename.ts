import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'rename',
  summary: 'Name a terminal; an empty name takes it away.',
  operands: '<id> <name>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast rename t3k api', "holdfast rename api ''"],
  run: async (input, host) => {
    const [terminal = '', name = ''] = input.operands
    const renamed = await host.ask('terminal.rename', { terminal, name })
    if (!renamed.ok) return renamed
    if (input.flag('json')) host.printJson(renamed.value.result)
    return done(EXIT.done)
  },
}
