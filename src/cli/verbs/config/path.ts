import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const path: Verb = {
  name: 'path',
  summary: 'Print where config.toml is, whether it exists or not.',
  options: [JSON_OPTION],
  example: ['$EDITOR "$(holdfast config path)"'],
  run: async (input, host) => {
    if (input.flag('json')) host.printJson({ path: host.paths.config })
    else host.print(host.paths.config)
    return await Promise.resolve(done(EXIT.done))
  },
}
