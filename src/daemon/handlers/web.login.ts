import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { type Capability, EVERYTHING } from '../../wire/capability.ts'
import type { Params } from '../../wire/commands.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { find } from '../find.ts'
import { pageOf } from './device.ts'

/** The only way to a new device. A browser that makes a link is named in the log, and with the device that uses it. */
export const makeWebLogin: Handler<'web.login'> = async (daemon, { view, name = null, file }, client) => {
  const page = await pageOf(daemon)
  if (!page.ok) return page
  const web = page.value
  if (web.url === null) return refused(refusals.pageOff(web.trouble ?? 'it has no port.'))
  const capability = capabilityOf(daemon, view)
  if (!capability.ok) return capability
  const maker = client.peer.device === undefined ? null : web.devices.find(client.peer.device)
  const addedBy = maker?.name ?? null
  const login = web.makeLogin({ capability: capability.value, name, addedBy, ...(file === undefined ? {} : { file }) })
  const [by, may] = [addedBy === null ? 'the command line' : `"${addedBy}"`, view === undefined ? '' : ' that may only view']
  web.authLog.note({ what: 'link', device: maker?.id ?? null, details: `${by} made a login link for a device${may}` })
  return { ok: true, result: { ...login, ...(web.trouble === null ? {} : { trouble: web.trouble }) } }
}

function capabilityOf(daemon: Daemon, view: Params<'web.login'>['view']): Result<Capability> {
  if (view === undefined) return done(EVERYTHING)
  if (view === 'all') return done({ kind: 'view', terminals: 'all' })
  const found = view.map((ref) => find(daemon, ref))
  const missing = found.find((each) => !each.ok)
  if (missing !== undefined && !missing.ok) return missing
  return done({ kind: 'view', terminals: found.flatMap((each) => (each.ok ? [each.value.id] : [])) })
}
