import { useState } from 'react'
import type { Refusal } from '../../base/refusal.ts'
import { useParts } from '../hooks/parts.ts'

const LONGEST_NOTE = 500

/** A checkpoint of now, with a note or without. */
export function TakeForm({ onTaken }: { readonly onTaken: (id: string) => void }) {
  const { page } = useParts()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const take = async () => {
    setBusy(true)
    const said = note.trim()
    const taken = await page.ask('checkpoint.create', said === '' ? {} : { note: said })
    setBusy(false)
    setRefusal(taken.ok ? null : taken.refusal)
    if (!taken.ok) return
    setNote('')
    onTaken(taken.value.id)
  }
  return (
    <form
      className="takeForm"
      onSubmit={(event) => {
        event.preventDefault()
        void take()
      }}
    >
      <input
        aria-label="Note (optional)"
        placeholder="Note"
        maxLength={LONGEST_NOTE}
        value={note}
        autoComplete="off"
        aria-invalid={refusal !== null}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <button type="submit" disabled={isBusy}>
        Save checkpoint
      </button>
      {refusal !== null && (
        <p className="wrong" role="alert">
          {refusal.message} {refusal.hint}
        </p>
      )}
    </form>
  )
}
