import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const rename: Verb = {
  name: 'rename',
  summary: 'Rename a browser that is logged in.',
  operands: '<device> <name>',
  options: [JSON_OPTION],
  example: ['holdfast auth rename d3k "laptop"', 'holdfast auth rename "Firefox on Linux" desk'],
  run: (input, host) => {
    const [device = '', name = ''] = input.operands
    return showForPrograms(input, host, host.ask('device.rename', { device, name }))
  },
}
