import type { Verb } from '../verb.ts'
import { hooks } from './agent/hooks.ts'
import { log } from './agent/log.ts'
import { ls } from './agent/ls.ts'
import { report } from './agent/report.ts'

export const verb: Verb = {
  name: 'agent',
  summary: 'Coding agents: which are known, what was decided about them and why, and their hooks.',
  example: ['holdfast agent ls', 'holdfast agent log api', 'holdfast agent hooks install claude'],
  verbs: [ls, log, hooks, report],
}
