import { parsePosition } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const move: Verb = {
  name: 'move',
  summary: 'Move a group among the others; positions are counted from 1, and beyond the end is the end.',
  operands: '<group> <position>',
  options: [JSON_OPTION],
  example: ['holdfast group move work 1'],
  run: async (input, host) => {
    const [group = '', typed = ''] = input.operands
    const index = parsePosition(typed)
    return index.ok ? await showForPrograms(input, host, host.ask('group.move', { group, index: index.value })) : index
  },
}
