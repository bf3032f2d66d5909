/** Which machine a checkpoint was taken on, and since which boot. Paths and processes mean nothing on another one. */
export type HostId = {
  /** Stays the same through reboots; a hash, because the system's own id is private. */
  readonly machine: string
  readonly boot: string
  readonly name: string
}

export const isSameHost = (a: HostId, b: HostId): boolean => a.machine !== '' && a.machine === b.machine
