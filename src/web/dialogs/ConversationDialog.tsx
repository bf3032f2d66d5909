import { useState } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { isConversationId } from '../../workspace/conversationId.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { nameOf } from '../words.ts'

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
      <p>The program knows its conversations by an id of its own; it lists them, or prints it when it ends.</p>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label>
          Id of the conversation
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
            This cannot be an id: letters, digits and . _ : - only, a letter or digit first.
          </p>
        )}
        <div className="choices">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!isConversationId(id)}>
            Resume it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
