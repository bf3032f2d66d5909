/** Which machine this is, and since which boot. */
import { readFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import type { HostId } from '../workspace/checkpoint/checkpointHost.ts'
import { blake3 } from './blake3.ts'

const MACHINE_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']
const BOOT_FILE = '/proc/sys/kernel/random/boot_id'
const HASH_DIGITS = 16
const BOOT_ROUNDING_S = 60 // where only the uptime is known, clocks and rounding must not look like a reboot

export function readHostId(now: () => number = Date.now): HostId {
  const name = hostname()
  const machine = MACHINE_FILES.map(textOf).find((text) => text !== null) ?? name
  const boot = textOf(BOOT_FILE) ?? `since ${Math.round((now() / 1_000 - uptime()) / BOOT_ROUNDING_S)}`
  return { machine: hashOf(machine), boot, name }
}

const hashOf = (machine: string): string => blake3(`holdfast host ${machine}`).slice(0, HASH_DIGITS)

/**
 * Whether it is known to be another machine. A system without an id of its own goes by its name, which changes with the network:
 * such a one cannot be told from any other.
 */
export function isElsewhere(then: HostId, now: HostId): boolean {
  const isById = ({ machine, name }: HostId): boolean => machine !== '' && machine !== hashOf(name)
  return isById(then) && isById(now) && then.machine !== now.machine && then.boot !== now.boot
}

/** Null where this system has no such file. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null
  } catch {
    return null
  }
}
