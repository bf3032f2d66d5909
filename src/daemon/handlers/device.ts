/** Browsers that are logged in: shown, renamed, revoked. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Device } from '../../store/store.ts'
import type { DeviceView } from '../../wire/deviceView.ts'
import type { Client, Handler } from '../connection.ts'
import type { Daemon, Web } from '../daemon.ts'

export async function pageOf(daemon: Pick<Daemon, 'web'>): Promise<Result<Web>> {
  const web = await daemon.web
  return web === null ? refused(refusals.pageOff('it is switched off in config.toml.')) : done(web)
}

export const listDevices: Handler<'device.list'> = async (daemon, _, client) => {
  const page = await pageOf(daemon)
  if (!page.ok) return page
  const newestFirst = page.value.devices.all().toReversed()
  return { ok: true, result: newestFirst.map((device) => viewOf(device, page.value, client)) }
}

export const renameDevice: Handler<'device.rename'> = async (daemon, { device: ref, name }, client) => {
  const page = await pageOf(daemon)
  if (!page.ok) return page
  const { devices } = page.value
  const found = devices.resolve(ref)
  if (!found.ok) return found
  await devices.rename(found.value.id, name)
  return { ok: true, result: viewOf(devices.find(found.value.id) ?? found.value, page.value, client) }
}

export const revokeDevices: Handler<'device.revoke'> = async (daemon, params, client) => {
  const page = await pageOf(daemon)
  if (!page.ok) return page
  const { devices } = page.value
  const chosen = chosenOf(params, devices)
  if (!chosen.ok) return chosen
  const by = revokerOf(devices, client)
  const result = chosen.value.map((device) => viewOf(device, page.value, client))
  const own = chosen.value.find(({ id }) => id === client.peer.device)
  for (const device of chosen.value) if (device !== own) devices.revoke(device.id, by)
  // Its own link ends once it has heard that it does.
  return { ok: true, result, ...(own === undefined ? {} : { after: () => devices.revoke(own.id, by) }) }
}

/** Every device may, whatever else it may. */
export const logOutDevice: Handler<'device.logOut'> = async (daemon, _, client) => {
  const page = await pageOf(daemon)
  if (!page.ok) return page
  const { devices } = page.value
  const own = devices.find(client.peer.device ?? '')
  if (own === null) return refused(refusals.deviceNotFound('this one'))
  return { ok: true, result: {}, after: () => devices.revoke(own.id, 'itself') }
}

export const showAuthLog: Handler<'device.log'> = async (daemon, { limit }) => {
  const page = await pageOf(daemon)
  return page.ok ? { ok: true, result: [...(await page.value.authLog.list(limit))] } : page
}

type Chosen = Parameters<typeof revokeDevices>[1]

/** All or none: a name that fits nothing revokes nothing. */
function chosenOf({ devices: refs }: Chosen, devices: Web['devices']): Result<readonly Device[]> {
  if (refs === 'all') return done(devices.all())
  const chosen = new Map<string, Device>()
  for (const ref of refs) {
    const found = devices.resolve(ref)
    if (!found.ok) return found
    chosen.set(found.value.id, found.value)
  }
  return done([...chosen.values()])
}

function revokerOf(devices: Web['devices'], { peer }: Client): string {
  if (peer.device === undefined) return 'the command line'
  return `"${devices.find(peer.device)?.name ?? peer.device}"`
}

function viewOf(device: Device, web: Web, client: Client): DeviceView {
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
