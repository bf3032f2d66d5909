import type { Verb } from '../verb.ts'
import { check } from './config/check.ts'
import { example } from './config/example.ts'
import { path } from './config/path.ts'
import { show } from './config/show.ts'

export const verb: Verb = {
  name: 'config',
  summary: 'Show and check the configuration.',
  example: ['holdfast config show', '$EDITOR "$(holdfast config path)" && holdfast config check'],
  verbs: [show, path, check, example],
}
