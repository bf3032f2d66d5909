/** Times as people type them: an age such as `2h`, a day, or a date with or without a time. Spans are written like ages. */
import { UNIT_MS } from '../../base/format.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'

/** `90s`, `30m`, `2h` or `1d`, in ms. */
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
  return count === undefined ? null : Number(count) * UNIT_MS[unit.toLowerCase() as keyof typeof UNIT_MS]
}

/** Days begin at local midnight. */
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
