/**
 * tmux now and then does not hear that a program has ended: the signal is lost, the process stays unburied, and nothing is
 * told. Sending the signal once more is all it needs. Looked for shortly after something has happened in the pane, when
 * programs mostly end; the rest is seen by tmux itself, once a second.
 */
import { readFileSync } from 'node:fs'

const LOOK_AFTER_MS = 80

export class DeathWatch {
  private timer: NodeJS.Timeout | undefined

  /** `server` is the tmux that told us of the pane, and the parent of its program. */
  constructor(private readonly processes: { readonly program: number; readonly server: number }) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      if (isUnburied(this.processes.program)) this.nudge()
    }, LOOK_AFTER_MS).unref()
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
