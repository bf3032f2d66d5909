import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'

export const makeWebLogin: Handler<'web.login'> = async (daemon) => {
  const web = await daemon.web
  if (web === null || web.url === null)
    return refused(refusals.failed('The page', web?.trouble ?? 'it is switched off in the configuration'))
  return { ok: true, result: web.makeLogin() }
}
