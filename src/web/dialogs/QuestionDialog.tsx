/**
 * A dialog that asks for one text. This folder has one component for each overlay of state/overlay.ts, placed by Overlays.tsx, and the
 * words they say as pure files beside them (closingWords.ts, readings.ts). newTerminal/, settings/ and startOver/ are larger dialogs.
 */
import { useState } from 'react'
import { done, type Result } from '../../base/refusal.ts'
import { useParts } from '../hooks/parts.ts'
import type { Question } from '../state/overlay.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { askingOf } from './questions.ts'
import './trustDialog.css'

/** What was heard: a plan to agree to, or that it is done. */
type Heard = { readonly kind: 'planned'; readonly lines: readonly string[] } | { readonly kind: 'done'; readonly words: string }

export function QuestionDialog({ question, onLeave }: { readonly question: Question; readonly onLeave: () => void }) {
  const { page } = useParts()
  const { title, hint, label, placeholder, verb, mayBeEmpty, tick, plan, answer } = askingOf(question)
  const [text, setText] = useState('')
  const [isTicked, setTicked] = useState(false)
  const [passphrase, setPassphrase] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [heard, setHeard] = useState<Result<Heard> | null>(null)
  const planned = heard?.ok === true && heard.value.kind === 'planned' ? heard.value.lines : null
  const isDone = heard?.ok === true && heard.value.kind === 'done'
  const refusal = heard?.ok === false ? heard.refusal : null
  const isSealed = passphrase !== null
  const submit = async () => {
    setAsking(true)
    const given = { text: text.trim(), isTicked, passphrase }
    const next = planned === null && plan !== undefined ? await planHeard(plan(page, given)) : await doneHeard(answer(page, given))
    if (!next.ok && next.refusal.code === 'import-sealed') setPassphrase('')
    setHeard(next)
    setAsking(false)
  }
  return (
    <Dialog labelledBy="questionTitle" {...(planned === null ? {} : { className: 'wide' })} onLeave={onLeave}>
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
            disabled={isDone || planned !== null}
            aria-invalid={refusal !== null && !isSealed}
            aria-describedby={refusal === null ? undefined : 'questionWrong'}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {isSealed && (
          <label>
            Passphrase
            <input
              type="password"
              value={passphrase}
              maxLength={1000}
              autoComplete="off"
              disabled={isDone || planned !== null}
              aria-describedby={refusal === null ? undefined : 'questionWrong'}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
          </label>
        )}
        {tick !== undefined && (
          <>
            <label className="tick">
              <input
                type="checkbox"
                checked={isTicked}
                disabled={isDone}
                aria-describedby="questionTick"
                onChange={(event) => setTicked(event.currentTarget.checked)}
              />
              {tick.label}
            </label>
            <p className="fieldHint" id="questionTick">
              {tick.hint}
            </p>
          </>
        )}
        {refusal !== null && (
          <p className="wrong" id="questionWrong" role="alert">
            {refusal.code === 'import-sealed' ? 'The file is sealed. Type its passphrase.' : `${refusal.message} ${refusal.hint}`}
          </p>
        )}
        {planned !== null && (
          <section className="planText" aria-label="Import plan">
            {planned.join('\n')}
          </section>
        )}
        {isDone && heard.value.kind === 'done' && (
          <p className="right" role="status">
            {heard.value.words}
          </p>
        )}
        <div className="choices">
          <button type="button" className={isDone ? 'primary' : undefined} onClick={onLeave}>
            {isDone ? 'Close' : 'Cancel'}
          </button>
          {!isDone && (
            <button type="submit" className="primary" disabled={isAsking || (!mayBeEmpty && text.trim() === '')}>
              {plan !== undefined && planned === null ? 'Show plan' : verb}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

async function planHeard(planning: Promise<Result<readonly string[]>>): Promise<Result<Heard>> {
  const planned = await planning
  return planned.ok ? done({ kind: 'planned', lines: planned.value }) : planned
}

async function doneHeard(answering: Promise<Result<string>>): Promise<Result<Heard>> {
  const answered = await answering
  return answered.ok ? done({ kind: 'done', words: answered.value }) : answered
}
