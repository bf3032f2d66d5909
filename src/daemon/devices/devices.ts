/**
 * Devices: browsers that have logged in, the links by which they do (`loginLinks.ts`), and the proof of their key (`handshake.ts`).
 * `web/` brings them in. Start here: a device is known by its public key and the origin it logged in at. It ends when it is revoked or
 * unused for too long, and its open connections end with it.
 */
import { randomBytes } from 'node:crypto'
import { type DeviceId, makeId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Device, Store } from '../../store/store.ts'
import type { Capability } from '../../wire/capability.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import { safeText } from '../../workspace/text.ts'
import type { WebLog } from '../base/log.ts'
import type { AuthLog } from './authLog.ts'

/** The last use is written at most this often: a page that is open writes nothing in most minutes. */
export const USE_KEPT_EVERY_MS = 60 * 60_000
const DEVICES_LIMIT = 64 // the one unused for longest makes room
const NAME_LENGTH = 60

export type DeviceStore = Pick<Store, 'devices' | 'keepDevice' | 'forgetDevice'>

type Options = {
  readonly store: DeviceStore
  readonly now: () => number
  readonly log: WebLog
  readonly authLog: AuthLog
  /** Asked for each time: the setting may change. */
  readonly expireMs: () => number
}

export type Registration = {
  readonly key: string
  readonly origin: string
  readonly name: string
  readonly capability: Capability
  readonly addedBy: string | null
}

export type EndListener = (id: DeviceId, why: 'loggedOut' | 'changed') => void

type Entry = { device: Device; used: number }

export class Devices {
  private readonly entries = new Map<DeviceId, Entry>()
  private readonly endListeners = new Set<EndListener>()

  private constructor(
    private readonly options: Options,
    known: readonly Device[],
  ) {
    for (const device of known) this.entries.set(device.id, { device, used: device.used })
  }

  static async open(options: Options): Promise<Devices> {
    const devices = new Devices(options, await options.store.devices())
    devices.sweep(new Set())
    return devices
  }

  /** A browser that logs in again with its key stays the same device, and has what the new link grants. */
  async register({ key, origin, name, capability, addedBy }: Registration): Promise<Device> {
    const now = this.options.now()
    const known = this.all().find((device) => device.key === key && device.origin === origin)
    const fresh = { id: makeId('device', randomBytes), created: now, name: safeText(name, NAME_LENGTH) }
    const device: Device = { ...fresh, ...known, key, origin, capability, addedBy, used: now }
    // What is open was let in with what it could do before.
    if (known !== undefined && !sameValue(known.capability, capability))
      for (const listener of this.endListeners) listener(known.id, 'changed')
    this.entries.set(device.id, { device, used: now })
    for (const { id } of this.oldestUseFirst().slice(0, -DEVICES_LIMIT))
      this.end(id, { what: 'revoked', details: 'to make room for a new device' })
    // A full disk must not lock the user out: the device then lasts as long as this daemon.
    await this.keep(device)
    return device
  }

  /** Null if it is unknown, revoked or expired. */
  find(id: string): Device | null {
    const entry = this.entries.get(id as DeviceId)
    return entry === undefined || this.isExpired(entry) ? null : { ...entry.device, used: entry.used }
  }

  all(): readonly Device[] {
    return this.oldestUseFirst().filter(({ id }) => this.find(id) !== null)
  }

  expiresAt({ used }: Device): number {
    return used + this.options.expireMs()
  }

  /** By id, unique beginning of an id, or name. */
  resolve(ref: string): Result<Device> {
    const all = this.all()
    const exact = all.filter(({ id, name }) => id === ref || name === ref)
    const matches = exact.length > 0 ? exact : all.filter(({ id }) => ref !== '' && id.startsWith(ref))
    const [first] = matches
    if (first === undefined) return refused(refusals.deviceNotFound(ref))
    if (matches.length > 1)
      return refused(
        refusals.deviceAmbiguous(
          ref,
          matches.map(({ id, name }) => `${id} (${name})`),
        ),
      )
    return done(first)
  }

  async rename(id: DeviceId, name: string): Promise<void> {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    const before = entry.device.name
    entry.device = { ...entry.device, name: safeText(name, NAME_LENGTH) }
    this.options.authLog.note({ what: 'renamed', device: id, details: `"${before}" is now "${entry.device.name}"` })
    await this.keep({ ...entry.device, used: entry.used })
  }

  revoke(id: DeviceId, by: string): void {
    this.end(id, { what: 'revoked', details: `by ${by}` })
  }

  /** Ends devices that were unused for too long. A device with an open page is in use. */
  sweep(open: ReadonlySet<DeviceId>): void {
    for (const [id, entry] of [...this.entries]) {
      if (open.has(id)) this.use(id)
      else if (this.isExpired(entry)) this.end(id, { what: 'expired', details: 'not used for too long' })
    }
  }

  use(id: DeviceId): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    entry.used = this.options.now()
    if (entry.used - entry.device.used < USE_KEPT_EVERY_MS) return
    entry.device = { ...entry.device, used: entry.used }
    void this.keep(entry.device)
  }

  /** Called when a device ends, or may do something else from now on: what it has open is to be closed. */
  onEnd(listener: EndListener): void {
    this.endListeners.add(listener)
  }

  private isExpired({ used }: Entry): boolean {
    return used + this.options.expireMs() <= this.options.now()
  }

  private end(id: DeviceId, { what, details }: { readonly what: 'revoked' | 'expired'; readonly details: string }): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    this.entries.delete(id)
    this.options.authLog.note({ what, device: id, details: `"${entry.device.name}" ${details}` })
    this.options.store.forgetDevice(id).catch((error) => this.warn(error, 'a revoked device could not be forgotten on disk'))
    for (const listener of this.endListeners) listener(id, 'loggedOut')
  }

  private async keep(device: Device): Promise<void> {
    await this.options.store.keepDevice(device).catch((error) => this.warn(error, 'a device could not be kept'))
  }

  private oldestUseFirst(): Device[] {
    const all = [...this.entries.values()].map(({ device, used }) => ({ ...device, used }))
    return all.sort((a, b) => a.used - b.used || (a.id < b.id ? -1 : 1))
  }

  private warn(error: unknown, message: string): void {
    this.options.log.warn({ error: String(error) }, message)
  }
}

/** What a browser is called until its user names it: `Firefox on Linux`. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export function browserName(userAgent: string): string {
  const first = (names: typeof BROWSERS): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [first(BROWSERS) ?? 'Browser', first(SYSTEMS)]
  return system === undefined ? browser : `${browser} on ${system}`
}
