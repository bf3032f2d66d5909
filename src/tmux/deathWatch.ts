/**
 * tmux now and then does not hear that a program has ended: the signal is lost, the process stays unburied, and nothing is
 * told. Sending the signal once more is all it needs. Looked for after something has happened in the pane, when programs
 * mostly end; the rest is seen by tmux itself, once a second.
 */
import { readFileSync } from 'node:fs'

/** Soon, then ever more rarely. */
const LOOKS_AFTER_MS = [60, 150, 400, 1_000, 2_000]

export class DeathWatch {
  private timer: NodeJS.Timeout | undefined
  private looks = 0

  /** `server` is the tmux that told us of the pane, and the parent of its program. */
  constructor(private readonly processes: { readonly program: number; readonly server: number }) {}

  soon(): void {
    this.looks = 0
    this.lookLater()
  }

  private lookLater(): void {
    const after = LOOKS_AFTER_MS[this.looks]
    if (this.timer !== undefined || after === undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.looks += 1
      if (isUnburied(this.processes.program)) this.nudge()
      else this.lookLater()
    }, after).unref()
  }

  nudge(): void {
    try {
      if (this.processes.server > 1) process.kill(this.processes.server, 'SIGCHLD')
    } catch {
      // It is gone, and the client that told of it soon is, too.
    }
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}

function isUnburied(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false // buried, or a system that does not tell
  }
}
