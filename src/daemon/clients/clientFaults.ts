/** Clients that lost their connection through their own fault, in the log: a hundred of them in one second are not a hundred lines. */
import { Allowance } from '../../base/allowance.ts'
import type { Log } from '../base/log.ts'

const LINES = { burst: 10, perSecond: 1 / 10 }

export class ClientFaults {
  private readonly lines = new Allowance(LINES, () => performance.now())
  private unsaid = 0

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  note(client: { readonly origin: string; readonly who?: string }, why: string): void {
    if (!this.lines.take()) {
      this.unsaid += 1
      return
    }
    this.log.warn({ ...client, why, unsaid: this.unsaid }, 'a client lost its connection')
    this.unsaid = 0
  }
}
