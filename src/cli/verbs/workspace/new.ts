import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const make: Verb = {
  name: 'new',
  summary: 'Add a workspace and print its id.',
  operands: '<name>',
  options: [{ flags: '--group <group>', help: 'where it stands (the first group)' }, JSON_OPTION],
  example: ['holdfast workspace new side --group work', 'holdfast new --workspace side -- npm run dev'],
  run: async (input, host) => {
    const [name = ''] = input.operands
    const group = input.text('group')
    const made = await host.ask('workspace.new', { name, ...(group === undefined ? {} : { group }) })
    if (!made.ok) return made
    if (input.flag('json')) host.printJson(made.value.result)
    else host.print(made.value.result.id)
    return done(EXIT.done)
  },
}
