import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const unzoom: Verb = {
  name: 'unzoom',
  summary: 'Show all terminals of the workspace that a terminal is in again.',
  operands: '<id>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast layout unzoom api'],
  run: (input, host) => {
    const [terminal = ''] = input.operands
    return showForPrograms(input, host, host.ask('layout.zoom', { terminal, zoomed: false }))
  },
}
