import type { Verb } from '../verb.ts'
import { close } from './group/close.ts'
import { color } from './group/color.ts'
import { ls } from './group/ls.ts'
import { move } from './group/move.ts'
import { make } from './group/new.ts'
import { rename } from './group/rename.ts'

export const verb: Verb = {
  name: 'group',
  summary: 'List, add, rename, colour, move and close groups of workspaces.',
  example: ['holdfast group ls', 'holdfast group new work --color green'],
  verbs: [ls, make, rename, color, move, close],
}
