import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const make: Verb = {
  name: 'new',
  summary: 'Add a workspace and print its id.',
  operands: '<name>',
  options: [JSON_OPTION],
  example: ['holdfast workspace new side', 'holdfast new --workspace side -- npm run dev'],
  run: async (input, host) => {
    const [name = ''] = input.operands
    const made = await host.ask('workspace.new', { name })
    if (!made.ok) return made
    if (input.flag('json')) host.printJson(made.value.result)
    else host.print(made.value.result.id)
    return done(EXIT.done)
  },
}
