import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const arrange: Verb = {
  name: 'arrange',
  summary: 'Put the terminals of a canvas in order: those of one repository side by side, a row for each.',
  operands: '<workspace>',
  options: [JSON_OPTION],
  example: ['holdfast canvas arrange main'],
  run: (input, host) => {
    const [workspace = ''] = input.operands
    return showForPrograms(input, host, host.ask('canvas.arrange', { workspace }))
  },
}
