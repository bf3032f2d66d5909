import type { Verb } from '../verb.ts'
import { restore } from './checkpoint/restore.ts'

export const verb: Verb = {
  name: 'checkpoint',
  summary: 'Look at earlier states of the whole workspace, and go back to them.',
  example: ['holdfast checkpoint restore latest~1 --plan'],
  verbs: [restore],
}
