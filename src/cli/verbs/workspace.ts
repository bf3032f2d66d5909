import type { Verb } from '../verb.ts'
import { close } from './workspace/close.ts'
import { ls } from './workspace/ls.ts'
import { make } from './workspace/new.ts'
import { rename } from './workspace/rename.ts'

export const verb: Verb = {
  name: 'workspace',
  summary: 'List, add, rename and close workspaces.',
  example: ['holdfast workspace ls', 'holdfast workspace new side'],
  verbs: [ls, make, rename, close],
}
