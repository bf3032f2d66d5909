import { parsePosition, usage } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

/** Nobody has so many workspaces. */
const AT_THE_END = '100000'

export const move: Verb = {
  name: 'move',
  summary: 'Move a workspace within its group, or to another one.',
  operands: '<workspace>',
  options: [
    { flags: '--group <group>', help: 'the group it goes to' },
    { flags: '--position <number>', help: 'where it stands there, from 1 on (the end)' },
    JSON_OPTION,
  ],
  example: ['holdfast workspace move side --group work', 'holdfast workspace move side --position 1'],
  run: async (input, host) => {
    const [workspace = ''] = input.operands
    const [group, position] = [input.text('group'), input.text('position')]
    if (group === undefined && position === undefined) return usage('say where to: --group GROUP or --position NUMBER')
    const index = parsePosition(position ?? AT_THE_END)
    if (!index.ok) return index
    const place = { index: index.value, ...(group === undefined ? {} : { group }) }
    return await showForPrograms(input, host, host.ask('workspace.move', { workspace, ...place }))
  },
}
