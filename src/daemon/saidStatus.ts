/**
 * What a run's program says about how it does, from its bytes to those who want to know. What it said before it was followed is
 * told once, as it stands in the end; what it says in one go is told once too: the last of it replaces the rest.
 */
import { NO_STATUS, type ProgramStatus, parseProgramStatus } from '../agents/programStatus.ts'

export class SaidStatus {
  private untold: string | null = null
  private isFollowed = false

  constructor(private readonly tell: (status: ProgramStatus) => void) {}

  /** True where it replaces one that was not told. */
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
