import type { Verb } from '../../verb.ts'
import { RESTORE_OPTIONS, restoreCheckpoint } from '../restore.ts'

export const restore: Verb = {
  name: 'restore',
  summary: 'Go back to a checkpoint: its layout and its screens; the same as holdfast restore.',
  operands: '<checkpoint>',
  options: RESTORE_OPTIONS,
  example: ['holdfast checkpoint restore latest~1 --plan'],
  run: restoreCheckpoint,
}
