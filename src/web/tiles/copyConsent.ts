/** Whether a program may put a text into the user's clipboard: as the settings say, or as the user does when asked. */
import type { PageSettings } from '../../wire/pageSettings.ts'

export type CopyAnswer = 'once' | 'always' | 'no'

export type CopyConsentOptions = {
  readonly policy: () => PageSettings['clipboard']
  /** False where the browser did not let it: some want a click for it. */
  readonly copy: (text: string) => Promise<boolean>
  /** How many characters are asked about; null: nothing is. */
  readonly onAsked: (characters: number | null) => void
}

export class CopyConsent {
  private readonly options: CopyConsentOptions
  private waiting: string | null = null
  /** For this terminal, as long as the page shows it. */
  private isGiven = false

  constructor(options: CopyConsentOptions) {
    this.options = options
  }

  async asked(text: string): Promise<void> {
    const policy = this.options.policy()
    if (policy === 'never') return
    if ((policy === 'allow' || this.isGiven) && (await this.options.copy(text))) return
    this.waiting = text // the last one counts
    this.options.onAsked(text.length)
  }

  async answer(answer: CopyAnswer): Promise<void> {
    const text = this.waiting
    this.waiting = null
    this.isGiven ||= answer === 'always'
    this.options.onAsked(null)
    if (text !== null && answer !== 'no') await this.options.copy(text)
  }
}
