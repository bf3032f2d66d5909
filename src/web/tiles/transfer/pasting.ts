/**
 * Pastes into a terminal: at once, or after the user has said how. This folder is what crosses between a terminal and the user's
 * machine: pastes, copies that a program asks for (copyConsent.ts) and files (uploads.ts). Decisions are pure or take functions.
 */
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

/**
 * What a paste may do to a terminal. A shell runs every line of it at once, and control characters in it are keys; so what
 * is no text is taken out, and who pastes lines or hidden keys is asked first. Pure.
 */
export type Paste = { readonly kind: 'paste'; readonly text: string } | { readonly kind: 'ask'; readonly question: PasteQuestion }

export type PasteQuestion = {
  /** Without what was hidden in it. */
  readonly text: string
  readonly lines: number
  readonly characters: number
  /** Control characters that were taken out. */
  readonly hidden: number
  readonly preview: readonly string[]
}

const PREVIEW_LINES = 8
const PREVIEW_COLUMNS = 120
/** Would end a bracketed paste before its end, so that the rest of it is typed. */
const BRACKETS = /(?:\x1b\[|\x9b)20[01]~/g
// biome-ignore lint/complexity/useRegexLiterals: as text its control characters can be read
const CONTROLS = new RegExp('[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]', 'g')

export function cleanPaste(text: string): { readonly text: string; readonly hidden: number } {
  const lines = text.replace(/\r\n?/g, '\n')
  const clean = lines.replace(BRACKETS, '').replace(CONTROLS, '')
  return { text: clean, hidden: lines.length - clean.length }
}

export function judgePaste(raw: string, { isBracketed, isGuarded }: { readonly isBracketed: boolean; readonly isGuarded: boolean }): Paste {
  const { text, hidden } = cleanPaste(raw)
  const runsLines = text.includes('\n') && !isBracketed
  if (!isGuarded || (!runsLines && hidden === 0)) return { kind: 'paste', text }
  return { kind: 'ask', question: { text, hidden, lines: countLines(text), characters: text.length, preview: previewOf(text) } }
}

/** The end of the last line is no line of its own. */
function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function previewOf(text: string): readonly string[] {
  const lines = text.slice(0, PREVIEW_LINES * 10_000).split('\n', PREVIEW_LINES)
  return lines.map((line) => (line.length > PREVIEW_COLUMNS ? `${line.slice(0, PREVIEW_COLUMNS)}…` : line))
}

/** Nothing runs before Enter is pressed. */
export const asOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
