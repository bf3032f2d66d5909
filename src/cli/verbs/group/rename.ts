import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const rename: Verb = {
  name: 'rename',
  summary: 'Give a group another name.',
  operands: '<group> <name>',
  options: [JSON_OPTION],
  example: ['holdfast group rename work office'],
  run: (input, host) => {
    const [group = '', name = ''] = input.operands
    return showForPrograms(input, host, host.ask('group.rename', { group, name }))
  },
}
