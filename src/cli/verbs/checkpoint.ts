import type { Verb } from '../verb.ts'
import { create } from './checkpoint/create.ts'
import { deleteVerb } from './checkpoint/delete.ts'
import { diff } from './checkpoint/diff.ts'
import { ls } from './checkpoint/ls.ts'
import { restore } from './checkpoint/restore.ts'
import { show } from './checkpoint/show.ts'

export const verb: Verb = {
  name: 'checkpoint',
  summary: 'Look at the whole workspace as it was: list, show, compare, take, delete and restore checkpoints.',
  example: ['holdfast checkpoint ls', 'holdfast checkpoint show latest', 'holdfast checkpoint diff latest~1 now'],
  verbs: [ls, show, diff, create, deleteVerb, restore],
}
