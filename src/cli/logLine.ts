/** One line of the daemon's log, for people: when, how bad, what, and the details after it. */
import { safeText } from '../workspace/text.ts'

const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const LONGEST = 2_000

export function logLineText(line: string): string {
  const entry = decode(line)
  if (entry === null) return safeText(line, LONGEST) // not ours: whatever it is, it is shown
  const { time, level, msg, pid: _pid, ...details } = entry
  const when = typeof time === 'string' ? time.replace('T', ' ').replace(/Z$/, '') : String(time ?? '')
  const rest = Object.entries(details).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = [when, (LEVELS[Number(level)] ?? String(level ?? '')).padEnd(5), String(msg ?? ''), ...rest].join(' ').trimEnd()
  return text
    .split('\n')
    .map((part) => safeText(part, LONGEST))
    .join('\n    ')
}

function decode(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'msg' in entry ? (entry as Record<string, unknown>) : null
  } catch {
    return null
  }
}
