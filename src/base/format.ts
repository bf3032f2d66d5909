/** Durations and sizes in words. Everything that prints them for people starts here. */
export const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** In the largest whole unit up to days, as in `3m`. */
export function ageText(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((each) => ms >= UNIT_MS[each])
  return unit === undefined ? '0s' : `${Math.floor(ms / UNIT_MS[unit])}${unit}`
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB'] as const

/** In the largest unit that fits, with a fraction below 10. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1024 ** power
  return `${power === 0 || count >= 10 ? Math.round(count) : count.toFixed(1)} ${SIZES[power]}`
}

/** Always in MiB, so that sums can be compared; rounded up, so that only nothing is 0. */
export const mib = (bytes: number): string => `${Math.ceil(bytes / (1 << 20))} MiB`
