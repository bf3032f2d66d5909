import { useState } from 'react'
import type { TerminalView } from '../../wire/view.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { nameOf } from '../words.ts'

type Props = { readonly terminal: TerminalView; readonly onRename: (name: string) => void; readonly onCancel: () => void }

/** For pages that are too narrow for a title bar to write in. */
export function RenameDialog({ terminal, onRename, onCancel }: Props) {
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
          Name; empty for none
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
