import { useState } from 'react'
import { useNow, useParts } from '../hooks/parts.ts'
import type { Reading } from '../state/overlay.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useAsked } from '../ui/useAsked.ts'
import { tell } from './readings.ts'

export function ReadingDialog({ reading, onLeave }: { readonly reading: Reading; readonly onLeave: () => void }) {
  const { page } = useParts()
  const { title, hint, isProse, load } = tell(reading, page, useNow())
  const asked = useAsked({ key: JSON.stringify(reading), ask: load })
  const [isCopied, setCopied] = useState(false)
  const text = asked.kind === 'answered' ? asked.value : ''
  return (
    <Dialog className="wide" labelledBy="readingTitle" onLeave={onLeave}>
      <h2 id="readingTitle">{title}</h2>
      {hint !== '' && <p>{hint}</p>}
      {asked.kind === 'refused' ? (
        <p className="wrong" role="alert">
          {asked.refusal.message} {asked.refusal.hint}
        </p>
      ) : (
        <textarea
          className={isProse === true ? 'readingText prose' : 'readingText'}
          readOnly
          aria-label={title}
          value={asked.kind === 'answered' ? text : 'Asking the daemon…'}
        />
      )}
      <div className="choices">
        <button type="button" disabled={text === ''} onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" className="primary" onClick={onLeave}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
