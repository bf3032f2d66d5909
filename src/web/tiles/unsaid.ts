/** Says for a moment why what was typed went nowhere. */
import { ONLY_LOOKS } from '../viewOnly/accessWords.ts'
import type { Unsent } from './viewer.ts'

const SAID_MS = 3_000

const WORDS: Readonly<Record<Unsent, string>> = {
  away: 'Not sent: the daemon is away',
  notRunning: 'Not sent: nothing runs here now',
  viewOnly: ONLY_LOOKS,
}

/** Reports of the mouse and of the focus, which nobody has typed. */
const isReport = (bytes: Uint8Array): boolean => /^\x1b\[(?:[IO]$|<|M)/.test(String.fromCharCode(...bytes.subarray(0, 4)))

export class Unsaid {
  private readonly onWords: (words: string | null) => void
  private hasSaidViewOnly = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(onWords: (words: string | null) => void) {
    this.onWords = onWords
  }

  say(unsent: Unsent, bytes: Uint8Array): void {
    if (isReport(bytes) || (unsent === 'viewOnly' && this.hasSaidViewOnly)) return
    this.hasSaidViewOnly = unsent === 'viewOnly'
    clearTimeout(this.timer)
    this.onWords(WORDS[unsent])
    this.timer = setTimeout(() => this.onWords(null), SAID_MS)
  }

  /** The terminal has lost the keyboard: what is said once is said again when it is back. */
  left(): void {
    this.hasSaidViewOnly = false
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
