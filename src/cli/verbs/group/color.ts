import { COLORS } from '../../../workspace/groups.ts'
import { parseChoice, usage } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const color: Verb = {
  name: 'color',
  summary: `Give a group another colour: ${COLORS.join(', ')}.`,
  operands: '<group> <color>',
  completes: COLORS,
  options: [JSON_OPTION],
  example: ['holdfast group color work purple'],
  run: async (input, host) => {
    const [group = '', typed] = input.operands
    const chosen = parseChoice(typed, COLORS, 'a group')
    if (!chosen.ok) return chosen
    if (chosen.value === undefined) return usage('say which colour')
    return await showForPrograms(input, host, host.ask('group.color', { group, color: chosen.value }))
  },
}
