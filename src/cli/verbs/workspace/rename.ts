import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const rename: Verb = {
  name: 'rename',
  summary: 'Give a workspace another name.',
  operands: '<workspace> <name>',
  options: [JSON_OPTION],
  example: ['holdfast workspace rename side docs'],
  run: async (input, host) => {
    const [workspace = '', name = ''] = input.operands
    const renamed = await host.ask('workspace.rename', { workspace, name })
    if (!renamed.ok) return renamed
    if (input.flag('json')) host.printJson(renamed.value.result)
    return done(EXIT.done)
  },
}
