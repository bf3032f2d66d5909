import { done } from '../../base/refusal.ts'
import { SCHEME_NAMES } from '../../wire/schemeNames.ts'
import { EXIT } from '../exit.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'theme',
  summary: 'Give a terminal colours of its own in the page; an empty name takes them away.',
  details: [`There are ${SCHEME_NAMES.join(', ')}.`],
  operands: '<id> <theme>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast theme api solarized-dark', "holdfast theme api ''"],
  run: async (input, host) => {
    const [terminal = '', theme = ''] = input.operands
    const themed = await host.ask('terminal.theme', { terminal, theme: theme === '' ? null : theme })
    if (!themed.ok) return themed
    if (input.flag('json')) host.printJson(themed.value.result)
    return done(EXIT.done)
  },
}
