import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { parseSize } from '../parse.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'resize',
  summary: 'Give a terminal a size. It stays until somebody types in a window on it, or for good with size_policy = "fixed".',
  operands: '<id> <colsxrows>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast resize api 120x40'],
  run: async (input, host) => {
    const [terminal = '', typed = ''] = input.operands
    const size = parseSize(typed)
    if (!size.ok) return size
    const resized = await host.ask('terminal.resize', { terminal, size: size.value })
    if (!resized.ok) return resized
    if (input.flag('json')) host.printJson(resized.value.result)
    return done(EXIT.done)
  },
}
