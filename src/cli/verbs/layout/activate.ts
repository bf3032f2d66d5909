import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const activate: Verb = {
  name: 'activate',
  summary: 'Bring a terminal to the front of the tabs it shares a slot with.',
  operands: '<id>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast layout activate api'],
  run: (input, host) => {
    const [terminal = ''] = input.operands
    return showForPrograms(input, host, host.ask('layout.activate', { terminal }))
  },
}
