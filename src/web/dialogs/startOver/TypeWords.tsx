import { useState } from 'react'
import { START_OVER } from '../../../workspace/startOver.ts'

/** Nothing happens until the words are there, whatever is pressed. */
export function TypeWords({ onTyped, onLeave }: { readonly onTyped: () => void; readonly onLeave: () => void }) {
  const [text, setText] = useState('')
  const isTyped = text.trim().toLowerCase() === START_OVER
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isTyped) onTyped()
      }}
    >
      <p>Programs are given time to finish, then a checkpoint is kept, then everything is closed.</p>
      <label>
        Type “{START_OVER}” to go on
        <input
          // biome-ignore lint/a11y/noAutofocus: it is what this step is about, and harmless
          autoFocus
          value={text}
          maxLength={40}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div className="choices">
        <button type="button" onClick={onLeave}>
          Keep everything
        </button>
        <button type="submit" className="danger" disabled={!isTyped}>
          Start over
        </button>
      </div>
    </form>
  )
}
