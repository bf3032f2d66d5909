import type { Verb } from '../verb.ts'
import { close } from './workspace/close.ts'
import { ls } from './workspace/ls.ts'
import { move } from './workspace/move.ts'
import { make } from './workspace/new.ts'
import { rename } from './workspace/rename.ts'
import { view } from './workspace/view.ts'

export const verb: Verb = {
  name: 'workspace',
  summary: 'List, add, rename, move and close workspaces, and choose how they are shown.',
  example: ['holdfast workspace ls', 'holdfast workspace new side'],
  verbs: [ls, make, rename, view, move, close],
}
