/** What a terminal was before a run of it began, and the line that says so between the two in its history. */
import { assertNever } from '../../base/assertNever.ts'
import type { RunId } from '../../base/ids.ts'
import type { Because, ExitStatus } from './terminal.ts'

/** How long it had been asleep, and why. */
export type Rest = { readonly because: Because; readonly since: number }

export type BeforeWake = {
  /** The run that was shown until then. */
  readonly run: RunId
  readonly end: End
  /** When that run ended; for a lost run, when the loss was found. */
  readonly since: number
  readonly woken: number
  /** It resumed something. */
  readonly isResume: boolean
}

/** Only what is said about it: the rest of the reason has been told elsewhere. */
export type End =
  | { readonly kind: 'slept' }
  | { readonly kind: 'exited'; readonly status: ExitStatus }
  | { readonly kind: 'lost' }
  | { readonly kind: 'failed' }

export function endOf(because: Because): End {
  return because.kind === 'exited' ? { kind: 'exited', status: because.status } : { kind: because.kind }
}

export function beforeWords(before: BeforeWake): string {
  return `── ${wordsOf(before)} ──`
}

function wordsOf({ end, since, woken, isResume }: BeforeWake): string {
  const again = `${isResume ? 'resumed' : 'started again'} ${momentWords(woken)}`
  switch (end.kind) {
    case 'slept':
      return `asleep for ${durationWords(woken - since)}, woken ${momentWords(woken)}`
    case 'exited':
      return `ended ${statusWords(end.status)} ${momentWords(since)}, ${again}`
    case 'lost':
      return `lost by ${momentWords(since)}, ${again}` // the end itself was not seen, only found then
    case 'failed':
      return `a wake had failed, ${again}`
  }
  return assertNever(end)
}

const statusWords = (status: ExitStatus): string => ('code' in status ? `with code ${status.code}` : `by ${status.signal}`)

const MINUTE_MS = 60_000

/** In the two largest units: `2 h 5 min`. */
export function durationWords(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes < 1) return 'less than a minute'
  const [days, hours] = [Math.floor(minutes / (24 * 60)), Math.floor(minutes / 60) % 24]
  const parts = days > 0 ? [`${days} d`, `${hours} h`] : [`${hours} h`, `${minutes % 60} min`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** As the clock on the wall says it: `Tue 17 Nov 09:00`. */
export function momentWords(at: number): string {
  const moment = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${DAYS[moment.getDay()]} ${moment.getDate()} ${MONTHS[moment.getMonth()]}`
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`
}
