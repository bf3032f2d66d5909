import { useState } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { lossWords, nameOf } from '../state/words.ts'
import { Dialog } from '../ui/Dialog.tsx'

type Props = { readonly terminal: TerminalView; readonly why: string; readonly onConfirm: () => void; readonly onCancel: () => void }

/** Asked only where something would be lost. */
export function SleepDialog({ terminal, why, onConfirm, onCancel }: Props) {
  return (
    <Dialog labelledBy="sleepTitle" onLeave={onCancel}>
      <h2 id="sleepTitle">Put “{nameOf(terminal)}” to sleep anyway?</h2>
      <p>{lossWords(why)}</p>
      <div className="choices">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={onConfirm}>
          Put to sleep
        </button>
      </div>
    </Dialog>
  )
}

type RenameDialogProps = { readonly terminal: TerminalView; readonly onRename: (name: string) => void; readonly onCancel: () => void }

/** For pages that are too narrow for a title bar to write in. */
export function RenameDialog({ terminal, onRename, onCancel }: RenameDialogProps) {
  const [name, setName] = useState(terminal.name ?? '')
  return (
    <Dialog labelledBy="renameTitle" onLeave={onCancel}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onRename(name)
        }}
      >
        <h2 id="renameTitle">Rename “{nameOf(terminal)}”</h2>
        <label>
          Name (optional)
          <input data-first value={name} maxLength={64} autoComplete="off" onChange={(event) => setName(event.currentTarget.value)} />
        </label>
        <div className="choices">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" className="primary">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  )
}
