/** Says for a moment why what was typed went nowhere. */
import { ONLY_LOOKS } from '../state/words.ts'
import type { Unsent } from './stream/viewer.ts'

const SAID_MS = 3_000

const WORDS: Readonly<Record<Unsent, string>> = {
  away: 'Not sent: the daemon is away',
  notRunning: 'Not sent: no program is running here',
  viewOnly: ONLY_LOOKS,
}

/** Mouse and focus reports, which the user has not typed. */
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
