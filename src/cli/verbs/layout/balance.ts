import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const balance: Verb = {
  name: 'balance',
  summary: 'Give all parts of every split of a workspace the same room.',
  operands: '<workspace>',
  options: [JSON_OPTION],
  example: ['holdfast layout balance main'],
  run: (input, host) => {
    const [workspace = ''] = input.operands
    return showForPrograms(input, host, host.ask('layout.balance', { workspace }))
  },
}
