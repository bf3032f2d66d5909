import type { Verb } from '../verb.ts'
import { hooks } from './agent/hooks.ts'
import { ls } from './agent/ls.ts'
import { report } from './agent/report.ts'

export const verb: Verb = {
  name: 'agent',
  summary: 'Coding agents: which are known, and their hooks.',
  example: ['holdfast agent ls', 'holdfast agent hooks install claude'],
  verbs: [ls, hooks, report],
}
