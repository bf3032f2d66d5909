/** Exit codes; scripts rely on them. */
import type { RefusalCode } from '../../base/refusal.ts'

export const EXIT = { done: 0, refused: 1, usage: 2, ended: 3, timeout: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const CODES: Partial<Record<RefusalCode, ExitCode>> = {
  usage: EXIT.usage,
  'size-invalid': EXIT.usage,
  'key-unknown': EXIT.usage,
  'pattern-invalid': EXIT.usage,
  'time-invalid': EXIT.usage,
  'span-invalid': EXIT.usage,
  'search-empty': EXIT.usage,
  'forget-future': EXIT.usage,
  'params-invalid': EXIT.usage,
  'program-ended': EXIT.ended,
  'not-live': EXIT.ended,
  timeout: EXIT.timeout,
}

export const exitCodeOf = (code: RefusalCode): ExitCode => CODES[code] ?? EXIT.refused
