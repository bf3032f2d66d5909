/** Logins, refusals and revocations. Refusals can be caused from outside, so their rate is bounded, and those left out are counted. */
import type { DeviceId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { AuthLogEntry } from '../../wire/deviceView.ts'
import { safeText } from '../../workspace/text.ts'

const REFUSALS_A_MINUTE = 10
const MINUTE_MS = 60_000
const DETAILS_LENGTH = 200

export type AuthLogStore = Pick<Store, 'appendAuthLog' | 'authLog'>

type Options = { readonly store: AuthLogStore; readonly now: () => number }
type Note = { readonly what: AuthLogEntry['what']; readonly device?: DeviceId | null; readonly details: string }

export class AuthLog {
  private window = { since: Number.NEGATIVE_INFINITY, written: 0, leftOut: 0 }

  constructor(private readonly options: Options) {}

  note({ what, device = null, details }: Note): void {
    const at = this.options.now()
    if (what === 'refused' && !this.mayWrite(at)) return
    // A log that cannot be written must not prevent a login.
    void this.options.store.appendAuthLog({ at, what, device, details: safeText(details, DETAILS_LENGTH) }).catch(() => undefined)
  }

  list(limit: number): Promise<readonly AuthLogEntry[]> {
    return this.options.store.authLog(limit)
  }

  private mayWrite(now: number): boolean {
    if (now - this.window.since >= MINUTE_MS) {
      const { leftOut } = this.window
      this.window = { since: now, written: 0, leftOut: 0 }
      if (leftOut > 0) this.note({ what: 'refused', details: `${leftOut} more refusals in the minute before were not logged` })
    }
    const may = this.window.written < REFUSALS_A_MINUTE
    if (may) this.window.written += 1
    else this.window.leftOut += 1
    return may
  }
}
