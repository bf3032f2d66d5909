import { PRESETS } from '../../../workspace/presets.ts'
import { usage } from '../../parse.ts'
import { showForPrograms } from '../../shown.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const preset: Verb = {
  name: 'preset',
  summary: 'Put the terminals of a workspace into so many slots; those beyond share the last one as tabs.',
  operands: '<workspace> <slots>',
  completes: PRESETS.map(String),
  options: [JSON_OPTION],
  example: ['holdfast layout preset main 4'],
  run: async (input, host) => {
    const [workspace = '', typed = ''] = input.operands
    const slots = PRESETS.find((count) => String(count) === typed)
    if (slots === undefined) return usage(`there is no preset of "${typed}"; write ${PRESETS.join(', ')}`)
    return await showForPrograms(input, host, host.ask('layout.preset', { workspace, slots }))
  },
}
