import type { Verb } from '../verb.ts'
import { logs } from './daemon/logs.ts'
import { restart } from './daemon/restart.ts'
import { start } from './daemon/start.ts'
import { status } from './daemon/status.ts'
import { stop } from './daemon/stop.ts'

export const verb: Verb = {
  name: 'daemon',
  summary: 'Start, stop and look after the daemon. Programs keep running without it.',
  example: ['holdfast daemon status', 'holdfast daemon logs -f'],
  verbs: [start, stop, restart, status, logs],
}
