import { done } from '../../../base/refusal.ts'
import { COLORS } from '../../../workspace/groups.ts'
import { EXIT } from '../../exit.ts'
import { parseChoice } from '../../parse.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const make: Verb = {
  name: 'new',
  summary: 'Add a group of workspaces and print its id.',
  operands: '<name>',
  options: [{ flags: '--color <color>', help: 'its colour (another one for each group)', choices: COLORS }, JSON_OPTION],
  example: ['holdfast group new work --color green', 'holdfast workspace new api --group work'],
  run: async (input, host) => {
    const [name = ''] = input.operands
    const color = parseChoice(input.text('color'), COLORS, '--color')
    if (!color.ok) return color
    const made = await host.ask('group.new', { name, ...(color.value === undefined ? {} : { color: color.value }) })
    if (!made.ok) return made
    if (input.flag('json')) host.printJson(made.value.result)
    else host.print(made.value.result.id)
    return done(EXIT.done)
  },
}
