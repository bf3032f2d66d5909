import { VIEWS } from '../../../workspace/topology.ts'
import { parseChoice, usage } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const view: Verb = {
  name: 'view',
  summary: 'Show a workspace as a split or as a canvas; the terminals are the same.',
  operands: '<workspace> <view>',
  completes: VIEWS,
  options: [JSON_OPTION],
  example: ['holdfast workspace view main canvas'],
  run: async (input, host) => {
    const [workspace = '', typed] = input.operands
    const chosen = parseChoice(typed, VIEWS, 'a view')
    if (!chosen.ok) return chosen
    if (chosen.value === undefined) return usage(`say how: ${VIEWS.join(' or ')}`)
    return await showForPrograms(input, host, host.ask('workspace.view', { workspace, view: chosen.value }))
  },
}
