import type { Verb } from '../verb.ts'
import { install } from './service/install.ts'
import { remove } from './service/remove.ts'
import { status } from './service/status.ts'

export const verb: Verb = {
  name: 'service',
  summary: 'Start the daemon at login, by systemd or launchd. Nobody needs it: every command starts the daemon.',
  example: ['holdfast service install', 'holdfast service status', 'holdfast service remove'],
  verbs: [install, remove, status],
}
