/**
 * The dialog for a new terminal. draft.ts holds what is filled in (pure), the *Field files draw it, submit.ts asks the daemon.
 */
import { useState } from 'react'
import { useParts } from '../../hooks/parts.ts'
import type { NewPlace } from '../../state/overlay.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Fault } from '../../ui/Fault.tsx'
import { lastOf, useAsked } from '../../ui/useAsked.ts'
import { DirectoryField } from './DirectoryField.tsx'
import { type Draft, emptyDraft, type Faults } from './draft.ts'
import { PlaceField } from './PlaceField.tsx'
import { MayField, ProgramField } from './ProgramField.tsx'
import { submit } from './submit.ts'
import { WorktreeField } from './WorktreeField.tsx'

const ASK_AFTER_MS = 250

export function NewTerminalDialog({ place, onLeave }: { readonly place: NewPlace; readonly onLeave: () => void }) {
  const { page, tiles } = useParts()
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(page.focused?.directory ?? '~', place))
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)
  const directory = draft.directory.trim()
  const shown = useAsked({
    key: directory === '' ? null : directory,
    ask: () => page.ask('repository.show', { path: directory }),
    afterMs: ASK_AFTER_MS,
  })
  const repository = lastOf(shown)
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }))
    setFaults({})
  }
  const start = async () => {
    setBusy(true)
    const submitted = await submit(page, draft, { repository, size: tiles.focused?.measure() ?? null })
    setBusy(false)
    if (submitted.kind === 'refused') {
      setFaults(submitted.faults)
      return setDraft(submitted.draft)
    }
    // Not given back: the new terminal has the keyboard, as soon as nothing lies over it.
    page.closeOverlay()
    requestAnimationFrame(() => tiles.focus())
  }
  return (
    <Dialog className="wide newDialog" labelledBy="newTitle" onLeave={onLeave}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <h2 id="newTitle">New terminal</h2>
        <ProgramField draft={draft} fault={faults.line} onChange={change} />
        <DirectoryField value={draft.directory} fault={faults.directory} onChange={(path) => change({ directory: path, worktree: null })} />
        {repository !== null && <WorktreeField repository={repository} draft={draft} fault={faults.worktree} onChange={change} />}
        <div className="pair">
          <label>
            Name (optional)
            <input
              value={draft.name}
              maxLength={64}
              autoComplete="off"
              aria-invalid={faults.name !== undefined}
              aria-describedby={faults.name === undefined ? undefined : 'newNameFault'}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          </label>
          <PlaceField place={draft.place} onChange={(next) => change({ place: next })} />
        </div>
        <Fault id="newNameFault" text={faults.name} />
        <MayField may={draft.may} onChange={(may) => change({ may })} />
        <label className="tick">
          <input type="checkbox" checked={draft.isPrivate} onChange={(event) => change({ isPrivate: event.currentTarget.checked })} />
          Private: its output is never written to disk
        </label>
        <Fault id="newFormFault" text={faults.form ?? (repository === null ? faults.worktree : undefined)} />
        <div className="choices">
          <button type="button" onClick={onLeave}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isBusy}>
            {isBusy ? 'Starting…' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
