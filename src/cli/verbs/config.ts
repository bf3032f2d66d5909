import { JSON_OPTION, type Verb } from '../verb.ts'
import { check } from './config/check.ts'
import { example } from './config/example.ts'
import { path } from './config/path.ts'
import { set, unset } from './config/set.ts'
import { show } from './config/show.ts'

export const verb: Verb = {
  name: 'config',
  summary: 'Show, change and check the configuration.',
  example: ['holdfast config', 'holdfast config set page.theme dark', '$EDITOR "$(holdfast config path)" && holdfast config check'],
  options: [JSON_OPTION],
  run: show.run,
  verbs: [show, set, unset, path, check, example],
}
