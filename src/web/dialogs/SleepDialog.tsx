import type { TerminalView } from '../../wire/view.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { nameOf } from '../words.ts'

type Props = { readonly terminal: TerminalView; readonly why: string; readonly onConfirm: () => void; readonly onCancel: () => void }

/** Asked only where something would be lost. */
export function SleepDialog({ terminal, why, onConfirm, onCancel }: Props) {
  return (
    <Dialog labelledBy="sleepTitle" onLeave={onCancel}>
      <h2 id="sleepTitle">Put “{nameOf(terminal)}” to sleep anyway?</h2>
      <p>{why}</p>
      <div className="choices">
        <button type="button" onClick={onCancel}>
          Leave it running
        </button>
        <button type="button" className="danger" onClick={onConfirm}>
          Put it to sleep
        </button>
      </div>
    </Dialog>
  )
}
