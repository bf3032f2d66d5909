import { useEffect } from 'react'
import type { PasteAnswer, PasteQuestion } from './pasting.ts'

type Props = {
  readonly question: PasteQuestion
  readonly onAnswer: (answer: PasteAnswer) => void
  /** While it is there, nothing else can have the keyboard. */
  readonly onGone: () => void
}

/** Shows what would be pasted before it is. */
export function PasteDialog({ question, onAnswer, onGone }: Props) {
  const { lines, characters, hidden, preview } = question
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it goes, not when it is drawn anew
  useEffect(() => onGone, [])
  const cancel = () => onAnswer('not')
  return (
    <dialog
      className="pasteDialog"
      aria-labelledby="pasteTitle"
      onCancel={cancel}
      onClose={cancel}
      onKeyDown={(event) => event.stopPropagation()}
      ref={(dialog) => void (dialog?.open || dialog?.showModal())}
    >
      <h2 id="pasteTitle">{lines === 1 ? 'Paste this line?' : `Paste ${lines} lines?`}</h2>
      <p>
        {characters.toLocaleString()} characters. Each line runs immediately.
        {hidden > 0 && ` ${hidden === 1 ? 'A control character was' : `${hidden} control characters were`} removed.`}
      </p>
      <pre>{preview.join('\n')}</pre>
      {lines > preview.length && <p>… and {(lines - preview.length).toLocaleString()} more lines</p>}
      <div className="choices">
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        {lines > 1 && (
          <button type="button" onClick={() => onAnswer('oneLine')}>
            Paste as one line
          </button>
        )}
        <button type="button" className="primary" onClick={() => onAnswer('lines')}>
          Paste
        </button>
      </div>
    </dialog>
  )
}
