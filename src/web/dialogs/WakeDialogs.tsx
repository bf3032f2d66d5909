import { useState } from 'react'
import { offersOf, type TerminalView } from '../../wire/view.ts'
import { isConversationId } from '../../workspace/resume/chosenConversation.ts'
import type { Wish } from '../state/overlay.ts'
import { nameOf } from '../state/words.ts'
import { Dialog } from '../ui/Dialog.tsx'

type Props = { readonly terminal: TerminalView; readonly onChoose: (id: string) => void; readonly onCancel: () => void }

export function ConversationDialog({ terminal, onChoose, onCancel }: Props) {
  const [text, setText] = useState('')
  const id = text.trim()
  const isWrong = id !== '' && !isConversationId(id)
  const submit = () => {
    if (isConversationId(id)) onChoose(id)
  }
  return (
    <Dialog labelledBy="conversationTitle" onLeave={onCancel}>
      <h2 id="conversationTitle">Resume another conversation in “{nameOf(terminal)}”</h2>
      <p>Enter the agent’s own id of the conversation. The agent lists its conversations, or prints the id when it ends.</p>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label>
          Conversation id
          <input
            value={text}
            maxLength={200}
            placeholder={terminal.conversation ?? ''}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'conversationWrong' : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {isWrong && (
          <p className="wrong" id="conversationWrong">
            Not a valid id: use letters, digits and . _ : - and begin with a letter or a digit.
          </p>
        )}
        <div className="choices">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!isConversationId(id)}>
            Resume
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type UnsureDialogProps = { readonly terminal: TerminalView; readonly onChoose: (wish: Wish) => void; readonly onCancel: () => void }

/** Asked where a resume may leave out something: what the agent ran in, or a flag of its command line. */
export function UnsureDialog({ terminal, onChoose, onCancel }: UnsureDialogProps) {
  const offers = offersOf(terminal)
  return (
    <Dialog labelledBy="unsureTitle" className="wide" onLeave={onCancel}>
      <h2 id="unsureTitle">Resume “{nameOf(terminal)}” with another command line?</h2>
      <p>
        Holdfast is not certain how to start the agent that way again
        {offers?.unsure === undefined ? '' : `: ${offers.unsure.why}`}. A restriction may be missing.
      </p>
      <dl className="lines">
        <dt>Ran</dt>
        <dd>
          <code>{offers?.unsure?.ran ?? ''}</code>
        </dd>
        <dt>Would run</dt>
        <dd>
          <code>{offers?.resume ?? ''}</code>
        </dd>
      </dl>
      <div className="choices">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" title={offers?.fresh} onClick={() => onChoose({ mode: 'fresh' })}>
          Restart fresh
        </button>
        <button type="button" className="danger" onClick={() => onChoose({ mode: 'resume', asShown: true })}>
          Resume with this
        </button>
      </div>
    </Dialog>
  )
}
