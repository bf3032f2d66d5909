import type { Verb } from '../../verb.ts'
import { install } from './hooks/install.ts'
import { remove } from './hooks/remove.ts'
import { status } from './hooks/status.ts'

export const hooks: Verb = {
  name: 'hooks',
  summary: 'Let agents report to Holdfast by themselves: which conversation they are in, and when they need you.',
  details: ['Without hooks Holdfast looks at the agents’ files and screens instead; with them it knows at once.'],
  example: ['holdfast agent hooks install claude codex', 'holdfast agent hooks status', 'holdfast agent hooks remove claude'],
  verbs: [install, status, remove],
}
