/** Pastes into a terminal: at once, or after the user has said how. */
import { asOneLine, judgePaste, type PasteQuestion } from './pasteGuard.ts'

export type PasteAnswer = 'lines' | 'oneLine' | 'not'

export type PastingOptions = {
  readonly isGuarded: () => boolean
  readonly screen: { readonly takesPastes: boolean; paste(text: string): void }
  readonly onQuestion: (question: PasteQuestion | null) => void
}

export class Pasting {
  private readonly options: PastingOptions
  private question: PasteQuestion | null = null

  constructor(options: PastingOptions) {
    this.options = options
  }

  take(text: string): void {
    const { isGuarded, screen, onQuestion } = this.options
    const paste = judgePaste(text, { isBracketed: screen.takesPastes, isGuarded: isGuarded() })
    if (paste.kind === 'paste') return screen.paste(paste.text)
    this.question = paste.question
    onQuestion(paste.question)
  }

  answer(answer: PasteAnswer): void {
    const { question } = this
    this.question = null
    this.options.onQuestion(null)
    if (question === null || answer === 'not') return
    this.options.screen.paste(answer === 'oneLine' ? asOneLine(question.text) : question.text)
  }
}
