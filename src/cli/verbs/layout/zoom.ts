import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const zoom: Verb = {
  name: 'zoom',
  summary: 'Show one terminal alone in its workspace.',
  operands: '<id>',
  completes: 'terminal',
  options: [JSON_OPTION],
  example: ['holdfast layout zoom api'],
  run: (input, host) => {
    const [terminal = ''] = input.operands
    return showForPrograms(input, host, host.ask('layout.zoom', { terminal, zoomed: true }))
  },
}
