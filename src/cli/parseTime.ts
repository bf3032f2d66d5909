/** Moments as people type them: so long ago, a day, or a date with or without its time. Spans are written like the first of these. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** How long, as in `90s`, `30m`, `2h` or `1d`; in ms. */
export function parseSpan(text: string): Result<number> {
  const span = spanIn(text.trim())
  return span === null ? refused(refusals.spanInvalid(text)) : done(span)
}

export function parseTime(text: string, now: number): Result<number> {
  const typed = text.trim()
  const at = agoIn(typed, now) ?? dayIn(typed.toLowerCase(), now) ?? dateIn(typed)
  return at === null || !Number.isFinite(at) ? refused(refusals.timeInvalid(text)) : done(at)
}

function agoIn(text: string, now: number): number | null {
  const span = spanIn(text)
  return span === null ? null : now - span
}

function spanIn(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,9})(s|m|h|d|w)$/i.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0)
}

/** Days begin at the midnight of the user's own clock. */
function dayIn(text: string, now: number): number | null {
  const back = { today: 0, yesterday: 1 }[text]
  if (back === undefined) return null
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime()
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

function dateIn(text: string): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = DATE.exec(text) ?? []
  if (year === undefined) return null
  const numbers = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const local = new Date(...numbers)
  // A 31st of February would become a day in March.
  const isReal = local.getMonth() === numbers[1] && local.getDate() === numbers[2] && numbers[3] < 24 && numbers[4] < 60 && numbers[5] < 60
  if (!isReal) return null
  return zone === undefined ? local.getTime() : Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}
