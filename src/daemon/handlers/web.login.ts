import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const makeWebLogin: Handler<'web.login'> = (daemon) => {
  if (daemon.web === null || daemon.web.url === null)
    return refused(refusals.failed('The page', daemon.web?.trouble ?? 'it is switched off in the configuration'))
  return { ok: true, result: daemon.web.makeLogin() }
}
