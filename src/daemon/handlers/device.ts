/** Devices: the browsers that are logged in, and the links by which they log in. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Device } from '../../store/store.ts'
import { type Capability, EVERYTHING } from '../../wire/capability.ts'
import type { Params } from '../../wire/commands/commands.ts'
import type { DeviceView } from '../../wire/deviceView.ts'
import type { Client } from '../clients/handler.ts'
import { find, type Terminals } from '../terminals/find.ts'
import type { Handlers, Of, Page, Parts } from './world.ts'

type World = Pick<Parts, 'web' | 'registry'>

export const deviceHandlers: Handlers<Of<'device' | 'web'>, World> = {
  'device.list': async (daemon, _, client) => {
    const page = await pageOf(daemon)
    if (!page.ok) return page
    const newestFirst = page.value.devices.all().toReversed()
    return { ok: true, result: newestFirst.map((device) => viewOf(device, page.value, client)) }
  },

  'device.rename': async (daemon, { device: ref, name }, client) => {
    const page = await pageOf(daemon)
    if (!page.ok) return page
    const { devices } = page.value
    const found = devices.resolve(ref)
    if (!found.ok) return found
    await devices.rename(found.value.id, name)
    return { ok: true, result: viewOf(devices.find(found.value.id) ?? found.value, page.value, client) }
  },

  'device.revoke': async (daemon, params, client) => {
    const page = await pageOf(daemon)
    if (!page.ok) return page
    const { devices } = page.value
    const chosen = chosenOf(params, devices)
    if (!chosen.ok) return chosen
    const by = revokerOf(devices, client)
    const result = chosen.value.map((device) => viewOf(device, page.value, client))
    const own = chosen.value.find(({ id }) => id === client.peer.device)
    for (const device of chosen.value) if (device !== own) devices.revoke(device.id, by)
    // Its own connection ends after it has the reply.
    return { ok: true, result, ...(own === undefined ? {} : { after: () => devices.revoke(own.id, by) }) }
  },

  /** Allowed to every device. */
  'device.logOut': async (daemon, _, client) => {
    const page = await pageOf(daemon)
    if (!page.ok) return page
    const { devices } = page.value
    const own = devices.find(client.peer.device ?? '')
    if (own === null) return refused(refusals.deviceNotFound('this one'))
    return { ok: true, result: {}, after: () => devices.revoke(own.id, 'itself') }
  },

  'device.log': async (daemon, { limit }) => {
    const page = await pageOf(daemon)
    return page.ok ? { ok: true, result: [...(await page.value.authLog.list(limit))] } : page
  },

  /** The only way to add a device. A browser that makes a link is named in the log and in the device that used it. */
  'web.login': async (daemon, { view, name = null, file }, client) => {
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
  },
}

async function pageOf(daemon: Pick<World, 'web'>): Promise<Result<Page>> {
  const web = await daemon.web
  return web === null ? refused(refusals.pageOff('it is disabled in config.toml.')) : done(web)
}

type Chosen = Params<'device.revoke'>

/** All or none: one name that matches nothing refuses the whole command. */
function chosenOf({ devices: refs }: Chosen, devices: Page['devices']): Result<readonly Device[]> {
  if (refs === 'all') return done(devices.all())
  const chosen = new Map<string, Device>()
  for (const ref of refs) {
    const found = devices.resolve(ref)
    if (!found.ok) return found
    chosen.set(found.value.id, found.value)
  }
  return done([...chosen.values()])
}

function revokerOf(devices: Page['devices'], { peer }: Client): string {
  if (peer.device === undefined) return 'the command line'
  return `"${devices.find(peer.device)?.name ?? peer.device}"`
}

function viewOf(device: Device, web: Page, client: Client): DeviceView {
  const { id, name, origin, capability, created, used, addedBy } = device
  return {
    ...{ id, name, capability, addedBy },
    address: origin,
    firstUsed: created,
    lastUsed: used,
    expires: web.devices.expiresAt(device),
    open: web.countOf(id),
    isCurrent: id === client.peer.device,
  }
}

function capabilityOf(daemon: Terminals, view: Params<'web.login'>['view']): Result<Capability> {
  if (view === undefined) return done(EVERYTHING)
  if (view === 'all') return done({ kind: 'view', terminals: 'all' })
  const found = view.map((ref) => find(daemon, ref))
  const missing = found.find((each) => !each.ok)
  if (missing !== undefined && !missing.ok) return missing
  return done({ kind: 'view', terminals: found.flatMap((each) => (each.ok ? [each.value.id] : [])) })
}
