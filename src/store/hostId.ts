/** Which machine this is, and since which boot. */
import { readFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import type { HostId } from '../workspace/checkpointHost.ts'
import { blake3 } from './blake3.ts'

const MACHINE_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']
const BOOT_FILE = '/proc/sys/kernel/random/boot_id'
const HASH_DIGITS = 16
const BOOT_ROUNDING_S = 60 // where only the uptime is known, clocks and rounding must not look like a reboot

export function readHostId(now: () => number = Date.now): HostId {
  const name = hostname()
  const machine = MACHINE_FILES.map(textOf).find((text) => text !== null) ?? name
  const boot = textOf(BOOT_FILE) ?? `since ${Math.round((now() / 1_000 - uptime()) / BOOT_ROUNDING_S)}`
  return { machine: blake3(`holdfast host ${machine}`).slice(0, HASH_DIGITS), boot, name }
}

/** Null where this system has no such file. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null
  } catch {
    return null
  }
}
