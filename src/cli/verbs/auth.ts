import type { Verb } from '../verb.ts'
import { link } from './auth/link.ts'
import { log } from './auth/log.ts'
import { ls } from './auth/ls.ts'
import { rename } from './auth/rename.ts'
import { revoke } from './auth/revoke.ts'

export const verb: Verb = {
  name: 'auth',
  summary: 'Manage the browsers that are logged in: list, add, rename and revoke them.',
  example: ['holdfast auth ls', 'holdfast auth link --view', 'holdfast auth revoke "Firefox on Linux"'],
  details: [
    'A browser that has logged in is a device. Its key works only at the address it logged in at,',
    'and expires when it is not used ([devices] expire_days in config.toml).',
  ],
  verbs: [ls, link, rename, revoke, log],
}
