import { useState } from 'react'
import type { Result } from '../../base/refusal.ts'
import type { Question } from '../overlay.ts'
import { useParts } from '../parts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { askingOf } from './questions.ts'

export function QuestionDialog({ question, onLeave }: { readonly question: Question; readonly onLeave: () => void }) {
  const { page } = useParts()
  const { title, hint, label, placeholder, verb, mayBeEmpty, answer } = askingOf(question)
  const [text, setText] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [heard, setHeard] = useState<Result<string> | null>(null)
  const submit = async () => {
    setAsking(true)
    setHeard(await answer(page, text.trim()))
    setAsking(false)
  }
  const isDone = heard?.ok === true
  const refusal = heard?.ok === false ? heard.refusal : null
  return (
    <Dialog labelledBy="questionTitle" onLeave={onLeave}>
      <h2 id="questionTitle">{title}</h2>
      <p>{hint}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <label>
          {label}
          <input
            value={text}
            maxLength={500}
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
            disabled={isDone}
            aria-invalid={refusal !== null}
            aria-describedby={refusal === null ? undefined : 'questionWrong'}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {refusal !== null && (
          <p className="wrong" id="questionWrong" role="alert">
            {refusal.message} {refusal.hint}
          </p>
        )}
        {isDone && (
          <p className="right" role="status">
            {heard.value}
          </p>
        )}
        <div className="choices">
          <button type="button" className={isDone ? 'primary' : undefined} onClick={onLeave}>
            {isDone ? 'Close' : 'Cancel'}
          </button>
          {!isDone && (
            <button type="submit" className="primary" disabled={isAsking || (!mayBeEmpty && text.trim() === '')}>
              {verb}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
