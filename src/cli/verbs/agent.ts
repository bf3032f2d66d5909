import type { Verb } from '../verb.ts'
import { log } from './agent/log.ts'

export const verb: Verb = {
  name: 'agent',
  summary: 'Look at the agents in the terminals.',
  example: ['holdfast agent log api'],
  verbs: [log],
}
