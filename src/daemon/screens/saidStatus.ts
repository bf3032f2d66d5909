/**
 * The status that a run's program reports, from its bytes to the main thread. Of those from before it was followed, and of those in one
 * piece of output, only the last is told.
 */
import { NO_STATUS, type ProgramStatus, parseProgramStatus } from '../../agents/programStatus.ts'

export class SaidStatus {
  private untold: string | null = null
  private isFollowed = false

  constructor(private readonly tell: (status: ProgramStatus) => void) {}

  /** True if it replaces a status that was not told. */
  said(data: string): boolean {
    const isReplacing = this.untold !== null
    this.untold = data
    return isReplacing
  }

  /** From now on it is live. */
  follow(): void {
    this.isFollowed = true
    this.pass()
  }

  /** Some output has been read. */
  pass(): void {
    if (!this.isFollowed || this.untold === null) return
    this.tell(parseProgramStatus(this.untold) ?? NO_STATUS)
    this.untold = null
  }
}
