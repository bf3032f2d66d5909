/**
 * Whether a program may put a text into the user's clipboard: by the settings, or by the user's answer. The user agrees to exactly the text
 * on display, and only once it has been there long enough to be noticed.
 */
import type { PageSettings } from '../../../wire/pageSettings.ts'
import { type CopyPreview, previewCopy } from './copyPreview.ts'

export type CopyAnswer = 'once' | 'always' | 'no'

/** A text that a program wants to copy, as it is shown. */
export type CopyOffer = CopyPreview & {
  /** Another text has another one. */
  readonly id: number
  /** False while it is new: a click that was meant for something else must not agree to it. */
  readonly isArmed: boolean
}

/** Longer than it takes to notice that the text has changed and to hold back a click. */
export const ARMED_AFTER_MS = 700
/** A program may ask at any rate; the display changes no faster than this. */
export const SHOWN_FOR_MS = 300

export type CopyConsentOptions = {
  readonly policy: () => PageSettings['clipboard']
  /** False where the browser did not let it: some want a click for it. */
  readonly copy: (text: string) => Promise<boolean>
  /** Null: nothing is asked. */
  readonly onAsked: (offer: CopyOffer | null) => void
}

export class CopyConsent {
  private readonly options: CopyConsentOptions
  private shown: { readonly text: string; readonly offer: CopyOffer } | null = null
  /** A newer text that will take the place of the one that is shown. */
  private next: string | null = null
  private ids = 0
  private showing: ReturnType<typeof setTimeout> | undefined
  private arming: ReturnType<typeof setTimeout> | undefined
  /** For this terminal, as long as the page shows it. */
  private isGiven = false

  constructor(options: CopyConsentOptions) {
    this.options = options
  }

  async asked(text: string): Promise<void> {
    const policy = this.options.policy()
    if (policy === 'never') return
    if ((policy === 'allow' || this.isGiven) && (await this.options.copy(text))) return
    if (this.shown?.text === text && this.next === null) return
    this.next = text // the last one counts
    if (this.showing === undefined) this.show()
  }

  /** An answer to another text than the one that is shown is none; a no always is one. */
  async answer(answer: CopyAnswer, id: number): Promise<void> {
    const { shown } = this
    if (shown === null) return
    if (answer === 'no') return this.close()
    if (shown.offer.id !== id || !shown.offer.isArmed) return
    this.isGiven ||= answer === 'always'
    this.close()
    await this.options.copy(shown.text)
  }

  close(): void {
    clearTimeout(this.showing)
    clearTimeout(this.arming)
    this.showing = undefined
    this.next = null
    this.shown = null
    this.options.onAsked(null)
  }

  private show(): void {
    this.showing = undefined
    const { next: text } = this
    if (text === null) return
    this.next = null
    clearTimeout(this.arming)
    this.ids += 1
    this.tell(text, { ...previewCopy(text), id: this.ids, isArmed: false })
    this.showing = setTimeout(() => this.show(), SHOWN_FOR_MS)
    this.arming = setTimeout(() => this.arm(), ARMED_AFTER_MS)
  }

  private arm(): void {
    if (this.shown !== null) this.tell(this.shown.text, { ...this.shown.offer, isArmed: true })
  }

  private tell(text: string, offer: CopyOffer): void {
    this.shown = { text, offer }
    this.options.onAsked(offer)
  }
}
