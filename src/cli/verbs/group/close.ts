import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const close: Verb = {
  name: 'close',
  summary: 'Remove a group. One that has workspaces is refused.',
  operands: '<group>',
  options: [JSON_OPTION],
  example: ['holdfast group close work'],
  run: (input, host) => {
    const [group = ''] = input.operands
    return showForPrograms(input, host, host.ask('group.close', { group }))
  },
}
